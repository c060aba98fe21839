/** A limit to how long a promise is waited for. */

/**
 * Waits for a promise, `limitMs` milliseconds at most.
 *
 * @returns What the promise resolved to, or undefined when the time is over; the promise itself goes on.
 * @throws What the promise was rejected with, if that was in time.
 */
export function withTimeout<Value>(promise: Promise<Value>, limitMs: number): Promise<Value | undefined> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, limitMs);
    promise.then(
      (value) => {
        clearTimeout(timer);
        resolve(value);
      },
      (error) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });
}
