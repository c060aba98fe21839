/** Listing and deleting more objects than one call of R2 takes. */

/** Keys that one call deletes at most (R2, Workers API). */
export const MAX_DELETE_KEYS = 1_000;

/**
 * Lists every object in the order of keys, following the cursor. Listings of R2 are strongly consistent; pages are
 * shorter when metadata are included.
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

/**
 * Deletes objects, those that do not exist included.
 *
 * @param atOnce - Keys in one call.
 */
export async function deleteAll(
  bucket: Pick<R2Bucket, 'delete'>,
  keys: readonly string[],
  atOnce = MAX_DELETE_KEYS,
): Promise<void> {
  for (let at = 0; at < keys.length; at += atOnce) await bucket.delete(keys.slice(at, at + atOnce));
}
