/** What is asked for, from the command line. */

import type { TimeRange } from '../list-hours.ts';
import { parseCommandLine, readTime, UsageError } from '../usage.ts';

/** Where events are read from. */
export type Source = 'events' | 'landing' | 'both';

/** The command line, checked. */
export type EventsOptions = { readonly source: Source; readonly range: TimeRange } & (
  | { readonly command: 'ls' | 'cat' }
  | { readonly command: 'sql'; readonly query: string }
  | { readonly command: 'pull'; readonly folder: string }
);

/** How the command is used. */
export const USAGE = `\
Usage: npm run events -- COMMAND [OPTIONS]

  ls            lists the objects
  cat           prints the lines, each event once
  sql "QUERY"   asks DuckDB: a table on a terminal, one JSON object a line elsewhere. There are the views
                events                every event once, typed
                latest_reservations   the newest event of each reservation: its current state
                distinct_events       events without immediate repeats of the same content
  pull FOLDER   copies the objects, and next time only what is new

Options
  --from TIME --to TIME   received from then on and before then, such as 2026-07-10T09:00Z; either may be left out.
                          ls and pull take whole hours
  --source events         events/: complete up to the watermark, exactly once (this is what you get without the option)
  --source landing        landing/: what is not published yet, seconds to an hour old
  --source both           the two together, each event once`;

/**
 * Reads the command line.
 *
 * @throws UsageError when it cannot be understood; the message says what to write.
 */
export function readOptions(args: readonly string[]): EventsOptions {
  const { values, positionals } = parse(args);
  const [command, argument, ...others] = positionals;
  const { source } = values;
  if (source !== 'events' && source !== 'landing' && source !== 'both') {
    throw new UsageError('Cannot use --source: name events, landing or both');
  }
  if (others.length > 0) throw new UsageError(`Cannot tell what ${others[0]} is: put the query in quotes`);
  const range = {
    ...(values.from !== undefined && { from: readTime('--from', values.from) }),
    ...(values.to !== undefined && { to: readTime('--to', values.to) }),
  };
  if (range.from !== undefined && range.to !== undefined && range.from >= range.to) {
    throw new UsageError('Cannot use --to: it is not after --from, so that nothing lies between them');
  }
  switch (command) {
    case 'ls':
    case 'cat':
      if (argument !== undefined)
        throw new UsageError(`Cannot tell what ${argument} is: ${command} takes options only`);
      return { command, source, range };
    case 'sql':
      if (argument === undefined) throw new UsageError('Cannot ask without a question: give the query, in quotes');
      return { command, query: argument, source, range };
    case 'pull':
      if (argument === undefined) throw new UsageError('Cannot copy the objects without a place: name a folder');
      return { command, folder: argument, source, range };
    default:
      throw new UsageError('Cannot tell what to do: name ls, cat, sql or pull');
  }
}

function parse(args: readonly string[]) {
  return parseCommandLine({
    args: [...args],
    allowPositionals: true,
    options: { from: { type: 'string' }, to: { type: 'string' }, source: { type: 'string', default: 'events' } },
  });
}
