/** A value that all requests of an isolate share for a while. */

/**
 * Makes a function that gives the value, and has it read again by the first request that finds it older than `maxAgeMs`.
 * Requests that come meanwhile get the value of before: a promise is not shared, since it would never settle if the request
 * that waits for it is cancelled. Where there is no value yet, each request reads for itself.
 *
 * @param read - Reads the value; gets the one of before.
 * @param patienceMs - After how long another request reads, since the one that does may be gone.
 * @returns Gives the value itself where nothing has to be waited for. It throws what `read` throws.
 */
export function refreshed<Value>(
  read: (last: Value | undefined) => Promise<Value>,
  maxAgeMs: number,
  patienceMs: number,
): () => Value | Promise<Value> {
  let known: { readonly value: Value; readonly from: number } | undefined;
  let askedAt = Number.NEGATIVE_INFINITY;

  async function readAgain(now: number): Promise<Value> {
    askedAt = now;
    const value = await read(known?.value);
    known = { value, from: now };
    return value;
  }

  return () => {
    const now = Date.now();
    const isFresh = known !== undefined && (now - known.from < maxAgeMs || now - askedAt < patienceMs);
    return known !== undefined && isFresh ? known.value : readAgain(now);
  };
}
