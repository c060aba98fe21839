/** A limit to how long a promise is waited for. */

import { logError } from '../telemetry/log.ts';

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

/** Asks a store; when it fails, or does not answer within `limitMs` milliseconds, a log line says so, and there is no answer. */
export async function answerOf<Value>(
  event: string,
  ask: () => Promise<Value>,
  limitMs: number,
  facts: Parameters<typeof logError>[2] = {},
): Promise<Value | undefined> {
  try {
    const answered = ask().then((value) => ({ value }));
    const answer = await withTimeout(answered, limitMs);
    if (answer === undefined) throw new Error(`No answer within ${limitMs} ms`);
    return answer.value;
  } catch (error) {
    logError(event, error, facts);
    return undefined;
  }
}
