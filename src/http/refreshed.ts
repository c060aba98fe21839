/** A cached value shared by all requests of an isolate. */

/**
 * Creates a function that returns the cached value. The first request that finds it older than `maxAgeMs` reads it
 * again, and other requests get the previous value meanwhile. They do not share the promise, since it would never
 * settle if the request that started it were cancelled. While there is no value yet, each request reads for itself.
 *
 * @param patienceMs - After this time another request reads as well, since the one that is reading may be gone.
 * @returns A function that throws what `read` throws.
 */
export function refreshed<Value>(
  read: () => Promise<Value>,
  maxAgeMs: number,
  patienceMs: number,
): () => Promise<Value> {
  let known: { readonly value: Value; readonly from: number } | undefined;
  let askedAt = Number.NEGATIVE_INFINITY;

  async function readAgain(now: number): Promise<Value> {
    askedAt = now;
    const value = await read();
    known = { value, from: now };
    return value;
  }

  return async () => {
    const now = Date.now();
    const isFresh = known !== undefined && (now - known.from < maxAgeMs || now - askedAt < patienceMs);
    return known !== undefined && isFresh ? known.value : readAgain(now);
  };
}
