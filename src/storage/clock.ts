/** The clock of a run. */

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  wait(milliseconds: number): Promise<unknown>;
}

/**
 * The clock of a run on a cron trigger. Locally, a run can be scheduled in the future; its clock then starts at that
 * time.
 *
 * @param scheduledTime - Milliseconds since 1970.
 */
export function createClock(scheduledTime: number): Clock {
  return {
    now: () => Math.max(scheduledTime, Date.now()),
    wait: (milliseconds) => scheduler.wait(milliseconds),
  };
}
