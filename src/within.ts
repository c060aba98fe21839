/** A limit to how long a promise is waited for. */

/**
 * Waits for a promise, `limitMs` milliseconds at most.
 *
 * @returns What the promise resolved to, or undefined when the time is over; the promise itself goes on.
 * @throws What the promise was rejected with, if that was in time.
 */
export async function within<Value>(promise: Promise<Value>, limitMs: number): Promise<Value | undefined> {
  let timer: ReturnType<typeof setTimeout> | null = null;
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), limitMs);
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
