/**
 * Runs that need much memory, one after the other in each isolate: the platform may give publishing and writing the table
 * to the same one, where they would share its 128 MB.
 */

/** How often a run looks whether it is its turn, and for how long, in milliseconds. */
const LOOK_MS = 500;
const PATIENCE_MS = 50_000;

/** The longest that a run takes (Workers, Limits: duration of cron triggers), after which it was ended, in milliseconds. */
const LONGEST_MS = 15 * 60_000;

/** When the run that is under way here began, in milliseconds since 1970; undefined when there is none. */
let since: number | undefined;

/**
 * Runs when no other run is under way in this isolate. It asks for the time again and again, since an invocation cannot
 * wait for what another one does.
 *
 * @returns Undefined when the other run takes so long that the next minute may have this one.
 */
export async function oneAtATime<Done>(run: () => Promise<Done>): Promise<Done | undefined> {
  const isFree = () => since === undefined || Date.now() - since > LONGEST_MS;
  for (let waited = 0; !isFree(); waited += LOOK_MS) {
    if (waited >= PATIENCE_MS) return undefined;
    await scheduler.wait(LOOK_MS);
  }
  const began = Date.now();
  since = began;
  try {
    return await run();
  } finally {
    if (since === began) since = undefined;
  }
}
