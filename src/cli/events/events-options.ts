/** What is asked for, from the command line. */

import type { TimeRange } from '../list-hours.ts';
import { parseCommandLine, readRange, UsageError } from '../usage.ts';

/** Which events are read. */
export type SourceChoice = 'events' | 'landing' | 'both';

/** In which form `pull` makes files. */
type PullFormat = 'ndjson' | 'parquet' | 'csv';

/** The command line, checked. */
export type EventsOptions = { readonly source: SourceChoice; readonly range: TimeRange } & (
  | { readonly command: 'ls' | 'cat' }
  | SqlOptions
  | { readonly command: 'pull'; readonly folder: string; readonly format: PullFormat }
  | { readonly command: 'verify'; readonly folder: string | undefined }
);

/** `folder`: ask about this copy alone. `keep`: copy into this folder first. Neither: copy, and delete the copy. */
interface SqlOptions {
  readonly command: 'sql';
  readonly query: string;
  readonly folder: string | undefined;
  readonly keep: string | undefined;
}

/** How the command is used. */
export const EVENTS_USAGE = `\
Usage: npm run events -- COMMAND [OPTIONS]

  ls                    lists the objects
  cat                   prints the lines, each event once
  sql "QUERY"           asks DuckDB: a table on a terminal, one JSON object a line elsewhere. There are the views
                          events                every event once, typed
                          latest_reservations   the latest event of each reservation: its current state
                          distinct_events       events without repeats
                        and the others that npm run schema -- duckdb --views prints
  sql "QUERY" FOLDER    asks about what pull has copied to FOLDER, without the bucket
  pull FOLDER           copies the objects and their log, and next time only what is new or changed. What was replaced in
                        the bucket because a guest was erased is deleted. Prints what the folder holds as JSON
  verify                checks the bucket against its log: every object there and unchanged, each event once
  verify FOLDER         checks what pull has copied, without the bucket

Options
  --from TIME --to TIME   received from then on and before then, UTC, such as 2026-07-10T09:00Z or 2026-07-10; either
                          may be left out. ls, pull and verify take whole hours
  --source events         events/: complete up to the watermark, exactly once (this is what you get without the option)
  --source landing        landing/: what is not published yet, seconds to minutes old
  --source both           the two together, each event once
  --keep FOLDER           sql: pull into FOLDER first, and keep it for the next query
  --format ndjson         pull: the objects of events/ (this is what you get without the option)
  --format parquet        pull: the objects of parquet/ for complete days, and those of events/ for the rest
  --format csv            pull: a table for each object of events/, below FOLDER/csv`;

/**
 * Reads the command line.
 *
 * @throws UsageError when it cannot be understood; the message says what to write.
 */
export function readEventsOptions(args: readonly string[]): EventsOptions {
  const { values, positionals } = parse(args);
  const [command, ...operands] = positionals;
  const { source, keep } = values;
  if (source !== 'events' && source !== 'landing' && source !== 'both') {
    throw new UsageError('Cannot use --source: name events, landing or both');
  }
  if (keep !== undefined && command !== 'sql') throw new UsageError('Cannot use --keep: it is for sql alone');
  if (values.format !== undefined && command !== 'pull')
    throw new UsageError('Cannot use --format: it is for pull alone');
  const range = readRange(values.from, values.to);
  switch (command) {
    case 'ls':
    case 'cat':
      expectAtMost(0, operands, `${command} takes options only`);
      return { command, source, range };
    case 'sql': {
      const [query, folder] = operands;
      if (query === undefined || query.trim() === '')
        throw new UsageError('Cannot ask without a question: give the query, in quotes');
      expectAtMost(2, operands, 'put the query in quotes');
      if (folder !== undefined && keep !== undefined) {
        throw new UsageError('Cannot use --keep: a folder to ask about is named already; give one of the two');
      }
      return { command, query, folder, keep, source, range };
    }
    case 'pull': {
      const [folder] = operands;
      if (folder === undefined) throw new UsageError('Cannot copy the objects without a place: name a folder');
      expectAtMost(1, operands, 'name one folder');
      return { command, folder, format: readFormat(values.format, source), source, range };
    }
    case 'verify':
      expectAtMost(1, operands, 'name one folder, or none to check the bucket');
      if (source !== 'events') throw new UsageError('Cannot verify landing/: it has no log; leave --source out');
      return { command, folder: operands[0], source, range };
    default:
      throw new UsageError('Cannot tell what to do: name ls, cat, sql, pull or verify');
  }
}

function readFormat(format = 'ndjson', source: SourceChoice): PullFormat {
  if (format !== 'ndjson' && format !== 'parquet' && format !== 'csv') {
    throw new UsageError('Cannot use --format: name ndjson, parquet or csv');
  }
  if (format !== 'ndjson' && source !== 'events') {
    throw new UsageError(`Cannot use --format ${format}: landing/ is copied as NDJSON alone; leave --source out`);
  }
  return format;
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
      source: { type: 'string', default: 'events' },
      keep: { type: 'string' },
      format: { type: 'string' },
    },
  });
}
