/** Limits how long a promise is awaited. */

import { logError } from '../telemetry/log.ts';

/**
 * Waits for a promise for at most `limitMs` milliseconds.
 *
 * @returns What the promise resolves to, or undefined when the time is up. The promise itself is not cancelled.
 * @throws What the promise rejects with, if it does so in time.
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

/**
 * Calls a service. A call that fails, or has no result within `limitMs` milliseconds, is logged and gives undefined.
 */
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
