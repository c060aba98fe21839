/**
 * Runs memory-intensive jobs one after the other in each isolate: the platform may start publishing and writing the
 * table in the same isolate, where they would share its 128 MB.
 */

/** The interval at which a waiting run polls, and how long it waits, in milliseconds. */
const LOOK_MS = 500;
const PATIENCE_MS = 50_000;

/**
 * The interval of a run's heartbeat, and after how long without one it counts as killed, in milliseconds: longer than
 * it may compute at a stretch (`cpu_ms` in wrangler.toml).
 */
const BEAT_MS = 5_000;
const SILENCE_MS = 60_000;

/** The last heartbeat of the current run in this isolate, in milliseconds since 1970. Undefined when there is none. */
let alive: number | undefined;

/**
 * Runs a job when no other is running in this isolate. It polls, since an invocation cannot await a promise of another.
 *
 * @returns Undefined when the other job takes so long that this one is left to the next minute.
 */
export async function oneAtATime<Done>(run: () => Promise<Done>): Promise<Done | undefined> {
  const isFree = () => alive === undefined || Date.now() - alive > SILENCE_MS;
  for (let waited = 0; !isFree(); waited += LOOK_MS) {
    if (waited >= PATIENCE_MS) return undefined;
    await scheduler.wait(LOOK_MS);
  }
  const beat = () => {
    alive = Date.now();
  };
  beat();
  const beating = setInterval(beat, BEAT_MS);
  try {
    return await run();
  } finally {
    clearInterval(beating);
    alive = undefined;
  }
}
