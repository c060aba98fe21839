/** Listing and deleting more objects than one R2 call handles. */

/** Maximum number of keys per delete call (R2, Workers API). */
export const MAX_DELETE_KEYS = 1_000;

/** Lists every object in key order. R2 listings are strongly consistent. */
export async function* listAll(
  bucket: Pick<R2Bucket, 'list'>,
  options: Omit<R2ListOptions, 'cursor'>,
): AsyncGenerator<R2Object> {
  for await (const { objects } of listPages(bucket, options)) yield* objects;
}

/** Lists page by page, following the cursor. A page has up to 1,000 objects, and fewer when metadata is included. */
export async function* listPages(
  bucket: Pick<R2Bucket, 'list'>,
  options: Omit<R2ListOptions, 'cursor'>,
): AsyncGenerator<R2Objects> {
  let cursor: string | undefined;
  do {
    const page = await bucket.list({ ...options, ...(cursor === undefined ? {} : { cursor }) });
    yield page;
    cursor = page.truncated ? page.cursor : undefined;
  } while (cursor !== undefined);
}

/**
 * Deletes objects; keys that do not exist are ignored.
 *
 * @param atOnce - Keys per call.
 */
export async function deleteAll(
  bucket: Pick<R2Bucket, 'delete'>,
  keys: readonly string[],
  atOnce = MAX_DELETE_KEYS,
): Promise<void> {
  for (let at = 0; at < keys.length; at += atOnce) await bucket.delete(keys.slice(at, at + atOnce));
}
