/** Time that passes only when nothing real is going on, so that no fault has to be waited for and no test is in a hurry. */

import { vi } from 'vitest';

/** How far time moves at once, in milliseconds. */
const STEP_MS = 100;

const realSetTimeout = globalThis.setTimeout;

/** Virtual time with the real input and output that happens in it. */
export type VirtualTime = ReturnType<typeof startVirtualTime>;

/** Takes over the timers and the clock. */
export function startVirtualTime() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  const started = Date.now();
  let busy = 0;
  const breathe = (ms = 0) => new Promise<void>((resolve) => realSetTimeout(resolve, ms));
  return {
    /** Milliseconds since the start. */
    now: () => Date.now() - started,
    /** Does something real, during which time stands still. */
    async real<Value>(operation: () => Promise<Value>): Promise<Value> {
      busy += 1;
      try {
        return await operation();
      } finally {
        busy -= 1;
      }
    },
    /** Resolves after so many milliseconds of virtual time. */
    after: (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)),
    /** Lets time pass until the promise is settled. */
    async passUntil<Value>(promise: Promise<Value>): Promise<Value> {
      let settled = false;
      const settle = () => {
        settled = true;
      };
      promise.then(settle, settle);
      while (!settled) {
        await breathe();
        if (busy === 0) vi.advanceTimersByTime(STEP_MS);
      }
      return promise;
    },
    /** Gives real things a moment of real time. */
    breathe,
    /** Returns to real time. */
    end: () => void vi.useRealTimers(),
  };
}
