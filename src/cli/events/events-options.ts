/** Reads the command line of `npm run events`. */

import { COMMON_OPTIONS, describeOptions, readCommandLine, refuseWords, toRange, UsageError } from '../usage.ts';

const { from, to } = COMMON_OPTIONS;

const OPTIONS = {
  from: { ...from, about: `${from.about}; list, pull and verify take whole hours` },
  to,
  source: {
    value: ['events', 'landing', 'both'],
    default: 'events',
    for: ['list', 'show'],
    about: 'events are complete up to the watermark, landing is not published yet',
  },
  fresh: { for: ['sql'], about: 'includes what is not in the table or not published yet' },
  keep: { value: 'FOLDER', for: ['sql'], about: 'keeps what is fetched in FOLDER for the next query' },
} as const;

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
${describeOptions(OPTIONS)}`;

export type EventsOptions = ReturnType<typeof readEventsOptions>;

/**
 * Reads the command line.
 *
 * @throws UsageError that says what to write instead.
 */
export function readEventsOptions(args: readonly string[]) {
  const { values, words } = readCommandLine(args, OPTIONS, true);
  const [command, operand, folder] = words;
  const { source, keep, fresh } = values;
  const range = toRange(values);
  switch (command) {
    case 'list':
    case 'show':
      refuseWords(words.slice(1));
      return { command, source, range } as const;
    case 'sql':
      refuseWords(words.slice(3));
      if (operand === undefined || operand.trim() === '')
        throw new UsageError('Cannot ask without a question: give the query, in quotes');
      if (folder !== undefined && (keep !== undefined || fresh)) {
        throw new UsageError('Cannot use --keep or --fresh: with a folder, sql does not read the bucket');
      }
      return { command, query: operand, folder, keep, fresh, range } as const;
    case 'pull':
      refuseWords(words.slice(2));
      if (!operand) throw new UsageError('Cannot copy the objects without a place: name a folder');
      return { command, folder: operand, range } as const;
    case 'verify':
      refuseWords(words.slice(2));
      return { command, folder: operand, range } as const;
    default:
      throw new UsageError('Cannot tell what to do: name list, show, sql, pull or verify');
  }
}
