/** What R2 does and its local copy does not: it refuses to write a key twice within a second (R2, Limits). */

const INTERVAL_MS = 1_000;

/**
 * Has a bucket refuse a write of a key that was written less than a second before, as R2 refuses it.
 *
 * @param now - Gives milliseconds.
 */
export function limitWrites(bucket: R2Bucket, now: () => number): void {
  const put = bucket.put.bind(bucket);
  const remove = bucket.delete.bind(bucket);
  const writtenAt = new Map<string, number>();

  /** Marks a key as written; false when it was written just before. */
  function mark(key: string): boolean {
    const time = now();
    // In the order of writing: those before the first recent one are of no use any more.
    for (const [written, at] of writtenAt) {
      if (Math.abs(time - at) < INTERVAL_MS) break;
      writtenAt.delete(written);
    }
    if (writtenAt.has(key)) return false;
    writtenAt.set(key, time);
    return true;
  }

  const limitedPut = async (key: string, ...rest: [unknown, R2PutOptions?]): Promise<R2Object | null> => {
    if (!mark(key)) throw new Error(`put: Too many writes of the same object, here ${key}. (10058)`);
    let written: R2Object | null = null;
    try {
      written = await Reflect.apply(put, bucket, [key, ...rest]);
      return written;
    } finally {
      if (written === null) writtenAt.delete(key);
    }
  };
  Object.assign(bucket, {
    put: limitedPut,
    delete(keys: string | string[]): Promise<void> {
      for (const key of [keys].flat()) writtenAt.delete(key);
      return remove(keys);
    },
  });
}
