/**
 * Runs that need much memory, one after the other in each isolate: the platform may give publishing and writing the table
 * to the same one, where they would share its 128 MB.
 */

/** How often a run looks whether it is its turn, and for how long, in milliseconds. */
const LOOK_MS = 500;
const PATIENCE_MS = 50_000;

/**
 * How often a run says that it is under way, and after what silence it was ended, in milliseconds: longer than it may
 * compute at a stretch (`cpu_ms` in wrangler.toml).
 */
const BEAT_MS = 5_000;
const SILENCE_MS = 60_000;

/** When the run that is under way here said so last, in milliseconds since 1970; undefined when there is none. */
let alive: number | undefined;

/**
 * Runs when no other run is under way in this isolate. It asks for the time again and again, since an invocation cannot
 * wait for what another one does.
 *
 * @returns Undefined when the other run takes so long that the next minute may have this one.
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
