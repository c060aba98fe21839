/** Time, as a run sees it. */

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  wait(milliseconds: number): Promise<unknown>;
}

/**
 * The clock of a run on a cron trigger. Locally one can be started for a time to come, and its time is then that one.
 *
 * @param scheduledTime - Milliseconds since 1970.
 */
export function createClock(scheduledTime: number): Clock {
  return {
    now: () => Math.max(scheduledTime, Date.now()),
    wait: (milliseconds) => scheduler.wait(milliseconds),
  };
}
