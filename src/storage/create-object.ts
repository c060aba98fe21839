/** Writing to R2 so that nothing is ever overwritten. */

/** The one call of an R2 bucket that is needed here; an R2Bucket is one. */
export interface ObjectCreator {
  put(key: string, value: string, options: CreateOptions): Promise<object | null>;
}

/** What is said about an object when it is created. */
interface CreateOptions {
  readonly onlyIf: { readonly etagDoesNotMatch: '*' };
  readonly httpMetadata: { readonly contentType: string };
  readonly customMetadata: { readonly rows: string };
}

/**
 * Creates an object of NDJSON.
 *
 * @param lines - Finished lines, at least one: an empty object upsets readers.
 * @throws When R2 does not confirm the write, or when the key is taken, in which case R2 answers null and writes nothing.
 */
export async function createObject(bucket: ObjectCreator, key: string, lines: readonly string[]): Promise<void> {
  if (lines.length === 0) throw new Error(`Cannot create ${key}: there is no line to write`);
  const created = await bucket.put(key, lines.join(''), {
    onlyIf: { etagDoesNotMatch: '*' },
    httpMetadata: { contentType: 'application/x-ndjson' },
    // For whoever counts without reading.
    customMetadata: { rows: String(lines.length) },
  });
  if (created === null) throw new Error(`Cannot create ${key}: an object of that name exists`);
}
