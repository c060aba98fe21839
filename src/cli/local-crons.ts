/** The crons of a service on this machine, where nothing runs them. */

/** The same as under `triggers` in wrangler.toml. */
const CRONS = { publish: '* * * * *', table: '1-59/2 * * * *' };

/** By how much time is put forward, in milliseconds: erasing waits until what other runs do is over. */
const AHEAD_MS = 7_200_000;

/** How far it goes at most, in steps: the last snapshots that show a guest are gone an hour after the table's rewriting. */
const MOST_STEPS = 6;

/**
 * Runs what a cron runs, as if it were `time`, in milliseconds since 1970: by default two hours from now, when all that
 * has landed is due.
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

/** Publishes and writes the table, as if it were so many steps of two hours later. */
export async function runLocalCrons(origin: string, steps = 1): Promise<void> {
  for (const name of ['publish', 'table'] as const) await runLocalCron(origin, name, Date.now() + steps * AHEAD_MS);
}

/** Publishes and writes the table, at two hours from now the first time, and two hours later each time after. */
export function createLocalCrons(origin: string): () => Promise<void> {
  let steps = 0;
  return () => {
    steps = Math.min(steps + 1, MOST_STEPS);
    return runLocalCrons(origin, steps);
  };
}
