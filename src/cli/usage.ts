/** Command lines: what cannot be understood, and what several commands read. */

import { type ParseArgsOptionDescriptor, parseArgs } from 'node:util';
import { ENDPOINT_PATH } from '../contract/endpoint.ts';
import { parseDate, parseTimestamp } from '../contract/timestamp.ts';
import type { TimeRange } from './list-hours.ts';

/** A command line that cannot be understood. */
export class UsageError extends Error {}

/** Whether a command line asks how the command is used. */
export function asksForHelp(args: readonly string[]): boolean {
  return args.includes('--help') || args.includes('-h');
}

/** An option of a command: how it is read, and what the help says of it. */
interface Option {
  /** What stands for its value in the help; one that has none is switched on by its name alone. */
  readonly value?: string;
  readonly about: string;
  /** Its value when it is not given. */
  readonly default?: string;
  /** Whether it may be given more than once. */
  readonly multiple?: true;
  /** The commands that take it, where the first word names one of several; without it, all do. */
  readonly for?: readonly string[];
}

type Options = Readonly<Record<string, Option>>;

/** What is read of a command line: the values by the names of the options, and the words between them. */
export interface CommandLine<Described extends Options> {
  readonly values: { readonly [Name in keyof Described]: ValueOf<Described[Name]> };
  readonly words: readonly string[];
}

type ValueOf<One extends Option> = One extends { value: string }
  ? One extends { multiple: true }
    ? readonly string[]
    : One extends { default: string }
      ? string
      : string | undefined
  : boolean;

/** The options that mean the same in every command. */
export const COMMON_OPTIONS = {
  url: { value: 'URL', about: 'the service (the one of `npm start`)' },
  env: { value: 'NAME', about: 'an environment of wrangler.toml', default: 'production' },
  yes: { about: 'does it without asking' },
  from: { value: 'TIME', about: 'received from then on, UTC, such as 2026-07-10T09:00Z or 2026-07-10' },
  to: { value: 'TIME', about: 'received before then' },
} as const satisfies Options;

/** The lines of the help that say what the options do. */
export function describeOptions(options: Options): string {
  const rows = Object.entries(options).map(([name, option]) => {
    const commands = option.for === undefined ? '' : `${option.for.join(', ')}: `;
    const byDefault = option.default === undefined ? '' : ` (${option.default})`;
    const named = `--${name}${option.value === undefined ? '' : ` ${option.value}`}`;
    return [named, `${commands}${option.about}${byDefault}`] as const;
  });
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, about]) => `  ${name.padEnd(width)}  ${about}`).join('\n');
}

/**
 * Reads a command line by the description of its options.
 *
 * @param takesWords - Whether there may be words that belong to no option.
 * @throws UsageError when there is an option that is not described or not for this command, one without its value, or a
 *   word that has no place.
 */
export function readCommandLine<const Described extends Options>(
  args: readonly string[],
  options: Described,
  takesWords = false,
): CommandLine<Described> {
  const { values, positionals, tokens } = parse(args, options, takesWords);
  const given = new Set(tokens.map((token) => (token.kind === 'option' ? token.name : undefined)));
  for (const [name, { for: commands }] of Object.entries<Option>(options)) {
    if (given.has(name) && commands !== undefined && !commands.includes(positionals[0] ?? '')) {
      throw new UsageError(`Cannot use --${name}: it is for ${commands.join(' and ')} alone`);
    }
  }
  return { values: values as CommandLine<Described>['values'], words: positionals };
}

function parse(args: readonly string[], options: Options, allowPositionals: boolean) {
  const parsed = Object.fromEntries(Object.entries(options).map(([name, option]) => [name, toParsed(option)]));
  try {
    return parseArgs({ args: [...args], allowPositionals, options: parsed, tokens: true });
  } catch (error) {
    // Node adds how to name a file that begins with a dash, which nobody meant.
    throw new UsageError(error instanceof Error ? error.message.replace(/\. To specify .*/s, '') : String(error));
  }
}

function toParsed({ value, multiple, default: byDefault }: Option): ParseArgsOptionDescriptor {
  if (value === undefined) return { type: 'boolean', default: false };
  if (multiple) return { type: 'string', multiple, default: [] };
  return { type: 'string', ...(byDefault !== undefined && { default: byDefault }) };
}

/**
 * Refuses words that belong to no option. They are not repeated, since one may be a value that lacks its option.
 *
 * @throws UsageError when there is one.
 */
export function refuseWords([word]: readonly string[]): void {
  if (word === undefined) return;
  throw new UsageError(
    'Cannot tell what a word without an option is: write its option before it, and quotes around blanks',
  );
}

/**
 * Reads the address of a service, or of its endpoint.
 *
 * @returns The address of the endpoint.
 * @throws UsageError when it cannot be read as that.
 */
export function readUrl(text: string): URL {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new UsageError('Cannot use --url: give the whole address of the service, with https:// in front');
  }
  if (url.pathname === '/') url.pathname = ENDPOINT_PATH;
  return url;
}

/**
 * Reads a time as the contract does, UTC unless it names a zone, or a date, which is its first moment in UTC.
 *
 * @param option - The option it was given for, for the error.
 * @throws UsageError when it cannot be read as that.
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
