/** Time that passes only when nothing real is going on, so that no fault has to be waited for and no test is in a hurry. */

import { vi } from 'vitest';

/** How far time moves at once, in milliseconds. */
const STEP_MS = 100;

const realSetTimeout = globalThis.setTimeout;

/** Virtual time with the real input and output that happens in it. */
export interface VirtualTime {
  /** Milliseconds since the start. */
  now(): number;
  /** Does something real, during which time stands still. */
  real<Value>(operation: () => Promise<Value>): Promise<Value>;
  /** Resolves after so many milliseconds of virtual time. */
  after(ms: number): Promise<void>;
  /** Lets time pass until the promise is settled. */
  passUntil<Value>(promise: Promise<Value>): Promise<Value>;
  /** Gives real things a moment of real time. */
  breathe(ms?: number): Promise<void>;
  /** Returns to real time. */
  end(): void;
}

/** Takes over the timers and the clock. */
export function startVirtualTime(): VirtualTime {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  const started = Date.now();
  let busy = 0;
  const breathe = (ms = 0) => new Promise<void>((resolve) => realSetTimeout(resolve, ms));
  return {
    now: () => Date.now() - started,
    async real(operation) {
      busy += 1;
      try {
        return await operation();
      } finally {
        busy -= 1;
      }
    },
    after: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    async passUntil(promise) {
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
    breathe,
    end: () => void vi.useRealTimers(),
  };
}
