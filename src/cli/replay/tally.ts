/** What a replay did, counted and told. */

/** What can become of a line. */
type Ending =
  /** The service took it. */
  | 'replayed'
  /** It was before this run, or an equal one was. */
  | 'done before'
  /** The service still refuses it. */
  | 'still refused'
  /** It cannot be replayed as it is. */
  | 'left alone';

/** The running totals, and what is said on the way. */
export interface Tally {
  /** Counts a line, and says which object it is from and why. */
  add(ending: Ending, source: string, why: string): void;
  /** The totals in one sentence. */
  summary(): string;
}

/** Starts a tally that writes a line for each entry with `write`. */
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
