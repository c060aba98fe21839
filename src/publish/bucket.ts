/** What publishing needs of a bucket; an R2Bucket is one. */
export type Bucket = Pick<R2Bucket, 'head' | 'get' | 'put' | 'list' | 'delete'>;

/**
 * Every object under a prefix in the order of keys, following the cursor. Listings of R2 are strongly consistent.
 *
 * @param include - What is wanted beside key, size and time; pages are shorter with it.
 */
export async function* listAll(
  bucket: Pick<Bucket, 'list'>,
  prefix: string,
  include: ('customMetadata' | 'httpMetadata')[] = [],
): AsyncGenerator<R2Object> {
  let cursor: string | undefined;
  do {
    const page = await bucket.list({ prefix, include, ...(cursor === undefined ? {} : { cursor }) });
    yield* page.objects;
    cursor = page.truncated ? page.cursor : undefined;
  } while (cursor !== undefined);
}
