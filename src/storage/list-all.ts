/** Listing that follows its cursor. */

/**
 * Every object that is asked for in the order of keys, following the cursor. Listings of R2 are strongly consistent;
 * pages are shorter when metadata are included.
 */
export async function* listAll(
  bucket: Pick<R2Bucket, 'list'>,
  options: Omit<R2ListOptions, 'cursor'>,
): AsyncGenerator<R2Object> {
  let cursor: string | undefined;
  do {
    const page = await bucket.list({ ...options, ...(cursor === undefined ? {} : { cursor }) });
    yield* page.objects;
    cursor = page.truncated ? page.cursor : undefined;
  } while (cursor !== undefined);
}
