/** Counts and prints what a replay did. */

/** The result for a line. */
type Ending =
  /** Accepted by the service. */
  | 'replayed'
  /** It, or an equal body, was replayed before. */
  | 'done before'
  /** Still refused by the service. */
  | 'still refused'
  /** Cannot be replayed as it is. */
  | 'left alone';

export interface Tally {
  /** Counts a line and prints its source and the reason. */
  add(ending: Ending, source: string, why: string): void;
  summary(): string;
}

/** Starts a tally that calls `write` with a line of text for each entry, except for those done before. */
export function startTally(dryRun: boolean, write: (line: string) => void): Tally {
  const totals = new Map<string, number>();
  return {
    add(ending, source, why) {
      const name = dryRun && ending === 'replayed' ? 'to replay' : ending;
      totals.set(name, (totals.get(name) ?? 0) + 1);
      if (ending !== 'done before') write(`${name.padEnd(13)} ${source}  ${why}`);
    },
    summary() {
      const counts = Array.from(totals, ([name, lines]) => `${lines} ${name}`);
      const what = counts.length === 0 ? 'Nothing was found' : counts.join(', ');
      return totals.has('to replay') ? `${what}. Nothing was changed; repeat the command with --yes to do it` : what;
    },
  };
}
