/** Time in tests of the Worker: what waits does not take any, and the bucket counts it all the same. */

import { vi } from 'vitest';

let waitedMs = 0;
/** When the time of the bucket was stopped; undefined while it passes. */
let stoppedAt: number | undefined;

/** A clock that stands still. Who waits by it has waited, as far as the bucket is concerned. */
export function clockAt(time: number) {
  return {
    now: () => time,
    wait: async (milliseconds: number) => {
      waitedMs += milliseconds;
    },
  };
}

/** Has runs on the clock wait as by {@link clockAt}, until mocks are restored. */
export function waitInNoTime(): void {
  vi.spyOn(scheduler, 'wait').mockImplementation(clockAt(0).wait);
}

/** The time that the bucket goes by, in milliseconds. */
export function bucketTime(): number {
  return (stoppedAt ?? performance.now()) + waitedMs;
}

/** Has no time pass for the bucket but what is waited for, so that every run makes the same calls, until the file ends. */
export function stopBucketTime(): void {
  stoppedAt = performance.now();
}

/** Has the time of the bucket pass. */
export function startBucketTime(): void {
  stoppedAt = undefined;
}

/** Lets the bucket take a write of every key again. */
export function letASecondPass(): void {
  waitedMs += 1_000;
}
