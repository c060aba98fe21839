/** Command lines: what cannot be understood, and what several commands read. */

import { type ParseArgsConfig, parseArgs } from 'node:util';
import { parseDate, parseTimestamp } from '../contract/timestamp.ts';
import type { TimeRange } from './list-hours.ts';

/** A command line that cannot be understood. */
export class UsageError extends Error {}

/** Whether a command line asks how the command is used. */
export function asksForHelp(args: readonly string[]): boolean {
  return args.includes('--help') || args.includes('-h');
}

/**
 * Takes a command line apart as `parseArgs()` of Node does.
 *
 * @throws UsageError when there is an option that is not known, or one without its value.
 */
export function parseCommandLine<const Config extends ParseArgsConfig>(config: Config) {
  try {
    return parseArgs(config);
  } catch (error) {
    // Node adds how to name a file that begins with a dash, which nobody meant.
    throw new UsageError(error instanceof Error ? error.message.replace(/\. To specify .*/s, '') : String(error));
  }
}

/**
 * Reads the address of the endpoint.
 *
 * @param option - The option it was given for, for the error.
 * @throws UsageError when it is none.
 */
export function readUrl(option: string, text: string): URL {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new UsageError(`Cannot use ${option}: give the whole address of the endpoint, with https:// in front`);
  }
  return url;
}

/**
 * Reads a time as the contract does, UTC unless it names a zone, or a date, which is its first moment in UTC.
 *
 * @param option - The option it was given for, for the error.
 * @throws UsageError when it is none.
 */
export function readTime(option: string, text: string): Date {
  const time = parseDate(text) === text ? { utc: `${text}T00:00:00.000Z` } : parseTimestamp(text);
  if (typeof time === 'string') {
    throw new UsageError(
      `Cannot use ${option}: ${JSON.stringify(text)} is no time; write it like 2026-07-10T09:00Z or 2026-07-10`,
    );
  }
  return new Date(time.utc);
}

/**
 * Reads the options --from and --to.
 *
 * @throws UsageError when one of them is no time, or nothing lies between them.
 */
export function readRange(from: string | undefined, to: string | undefined): TimeRange {
  const range = {
    ...(from !== undefined && { from: readTime('--from', from) }),
    ...(to !== undefined && { to: readTime('--to', to) }),
  };
  if (range.from !== undefined && range.to !== undefined && range.from >= range.to) {
    throw new UsageError('Cannot use --to: it is not after --from, so that nothing lies between them');
  }
  return range;
}
