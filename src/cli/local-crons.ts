/** Runs the crons of a service on this machine, where no platform does. */

/** The same as under `triggers` in wrangler.toml. */
const CRONS = { publish: '* * * * *', table: '1-59/2 * * * *' };

/** How far one step advances the time, in milliseconds: an erasure waits until earlier runs have finished. */
const AHEAD_MS = 7_200_000;

/**
 * Maximum number of steps: the last snapshots that show an erased guest are gone an hour after the table was rewritten.
 */
const MOST_STEPS = 6;

/**
 * Runs a cron as if it were `time`, in milliseconds since 1970; by default in two hours, when everything that has
 * landed is due.
 *
 * @throws When the run fails.
 */
export async function runLocalCron(
  origin: string,
  name: keyof typeof CRONS,
  time = Date.now() + AHEAD_MS,
): Promise<void> {
  const query = new URLSearchParams({ cron: CRONS[name], time: String(time) });
  const response = await fetch(`${origin}/cdn-cgi/handler/scheduled?${query}`);
  const text = await response.text();
  if (text !== 'ok') {
    throw new Error(
      `Cannot run the cron of ${name} at ${origin}: it answers ${response.status} ${text.slice(0, 200)}; see its log`,
    );
  }
}

/** Publishes and writes the table, with the clock advanced by steps of two hours. */
export async function runLocalCrons(origin: string, steps = 1): Promise<void> {
  for (const name of ['publish', 'table'] as const) await runLocalCron(origin, name, Date.now() + steps * AHEAD_MS);
}

/** Creates a function that publishes and writes the table, with the clock advanced by two more hours at each call. */
export function createLocalCrons(origin: string): () => Promise<void> {
  let steps = 0;
  return () => {
    steps = Math.min(steps + 1, MOST_STEPS);
    return runLocalCrons(origin, steps);
  };
}
