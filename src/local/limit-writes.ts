/** Adds a limit that the local R2 lacks: a key cannot be written twice within a second (R2, Limits). */

const INTERVAL_MS = 1_000;

/**
 * Makes a bucket refuse to write a key that was written less than a second before, with the error of R2.
 *
 * @param now - Returns the time in milliseconds.
 */
export function limitWrites(bucket: R2Bucket, now: () => number): void {
  const put = bucket.put.bind(bucket);
  const remove = bucket.delete.bind(bucket);
  const writtenAt = new Map<string, number>();

  /** Marks a key as written. False when it was written within the last second. */
  function mark(key: string): boolean {
    const time = now();
    // In order of writing: all entries before the first recent one have expired.
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
