/** What is asked for, from the command line. */

import type { TimeRange } from '../list-hours.ts';
import { parseCommandLine, readRange, UsageError } from '../usage.ts';

/** Which objects are listed or printed. */
export type SourceChoice = 'events' | 'landing' | 'both';

/** The command line, checked. */
export type EventsOptions = { readonly range: TimeRange } & (
  | { readonly command: 'list' | 'show'; readonly source: SourceChoice }
  | SqlOptions
  | { readonly command: 'pull'; readonly folder: string }
  | { readonly command: 'verify'; readonly folder: string | undefined }
);

/** A question about the bucket, or about a copy. */
interface SqlOptions {
  readonly command: 'sql';
  readonly query: string;
  /** Ask about this copy alone, without the bucket. */
  readonly folder: string | undefined;
  /** Keep what is fetched here; undefined: delete it. */
  readonly keep: string | undefined;
  /** Also what has landed and is not published yet. */
  readonly fresh: boolean;
}

/** How the command is used. */
export const EVENTS_USAGE = `\
Usage: npm run events -- COMMAND [OPTIONS]

  list                  lists the objects
  show                  prints the lines, each event once
  sql "QUERY"           asks DuckDB about the table: in columns on a terminal, one JSON object a line elsewhere. There are the views
                          events                every event once, typed
                          latest_reservations   the latest event of each reservation: its current state
                          distinct_events       events without repeats
                        and the others that npm run schema -- duckdb --views prints. A statement may write files:
                        "COPY (FROM events) TO 'events.csv'"
  sql "QUERY" FOLDER    asks about what pull has copied to FOLDER, without the bucket
  pull FOLDER           copies the objects and their log, and next time only what is new or changed. What was replaced in
                        the bucket because a guest was erased is deleted. Prints what the folder holds as JSON
  verify                checks the bucket against its log: every object there and unchanged, each event once, and in the
                        table the rows of each part
  verify FOLDER         checks what pull has copied, without the bucket

Options
  --from TIME --to TIME   received from then on and before then, UTC, such as 2026-07-10T09:00Z or 2026-07-10; either
                          may be left out. list, pull and verify take whole hours
  --source events         list, show: events/: complete up to the watermark, exactly once (what you get without the option)
  --source landing        landing/: what is not published yet, seconds to minutes old
  --source both           the two together, each event once
  --fresh                 sql: also what is not in the table, or not published, yet
  --keep FOLDER           sql: keep what is fetched in FOLDER for the next query`;

/**
 * Reads the command line.
 *
 * @throws UsageError when it cannot be understood; the message says what to write.
 */
export function readEventsOptions(args: readonly string[]): EventsOptions {
  const { values, positionals } = parse(args);
  const [command, ...operands] = positionals;
  const { source, keep, fresh } = values;
  if (source !== undefined && command !== 'list' && command !== 'show')
    throw new UsageError('Cannot use --source: it is for list and show alone; sql takes --fresh');
  if ((keep !== undefined || fresh !== undefined) && command !== 'sql')
    throw new UsageError('Cannot use --keep or --fresh: they are for sql alone');
  const range = readRange(values.from, values.to);
  switch (command) {
    case 'list':
    case 'show':
      expectAtMost(0, operands, `${command} takes options only`);
      return { command, source: readSource(source), range };
    case 'sql': {
      const [query, folder] = operands;
      if (query === undefined || query.trim() === '')
        throw new UsageError('Cannot ask without a question: give the query, in quotes');
      expectAtMost(2, operands, 'put the query in quotes');
      if (folder !== undefined && (keep !== undefined || fresh !== undefined)) {
        throw new UsageError(
          'Cannot use --keep or --fresh: a folder to ask about is named already, without the bucket',
        );
      }
      return { command, query, folder, keep, fresh: fresh ?? false, range };
    }
    case 'pull': {
      const [folder] = operands;
      if (folder === undefined) throw new UsageError('Cannot copy the objects without a place: name a folder');
      expectAtMost(1, operands, 'name one folder');
      return { command, folder, range };
    }
    case 'verify':
      expectAtMost(1, operands, 'name one folder, or none to check the bucket');
      return { command, folder: operands[0], range };
    default:
      throw new UsageError('Cannot tell what to do: name list, show, sql, pull or verify');
  }
}

function readSource(source = 'events'): SourceChoice {
  if (source === 'events' || source === 'landing' || source === 'both') return source;
  throw new UsageError('Cannot use --source: name events, landing or both');
}

function expectAtMost(count: number, operands: readonly string[], remedy: string): void {
  if (operands.length > count) throw new UsageError(`Cannot tell what ${operands[count]} is: ${remedy}`);
}

function parse(args: readonly string[]) {
  return parseCommandLine({
    args: [...args],
    allowPositionals: true,
    options: {
      from: { type: 'string' },
      to: { type: 'string' },
      source: { type: 'string' },
      keep: { type: 'string' },
      fresh: { type: 'boolean' },
    },
  });
}
