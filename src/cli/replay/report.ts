/** What a replay did, counted and told. */

/** What can become of a line. */
export type Ending =
  /** It was put back or taken. */
  | 'replayed'
  /** It was before this run, or an equal one was. */
  | 'done before'
  /** The service still refuses it. */
  | 'still refused'
  /** It cannot be replayed as it is. */
  | 'left alone';

/** The running totals, and what is said on the way. */
export interface Report {
  /** Counts lines, and says of which object and why. */
  add(ending: Ending, lines: number, source: string, why: string): void;
  /** The totals in one sentence. */
  summary(dryRun: boolean): string;
}

/** Starts a report that writes a line for each entry with `write`. */
export function startReport(write: (line: string) => void): Report {
  const totals = new Map<Ending, number>();
  return {
    add(ending, lines, source, why) {
      totals.set(ending, (totals.get(ending) ?? 0) + lines);
      if (ending !== 'done before') write(`${ending.padEnd(13)} ${source}  ${why}`);
    },
    summary(dryRun) {
      const counts = [...totals].map(
        ([ending, lines]) => `${lines} ${dryRun && ending === 'replayed' ? 'to replay' : ending}`,
      );
      const what = counts.length === 0 ? 'Nothing was found' : counts.join(', ');
      return dryRun ? `${what}. Nothing was changed; repeat the command with --no-dry-run to do it` : what;
    },
  };
}
