/** Reads command lines, and the options that several commands share. */

import { type ParseArgsOptionDescriptor, parseArgs } from 'node:util';
import { ENDPOINT_PATH } from '../contract/endpoint.ts';
import { parseDate, parseTimestamp } from '../contract/timestamp.ts';
import type { TimeRange } from './list-hours.ts';

/** Thrown when a command line cannot be understood. */
export class UsageError extends Error {}

/** Whether a command line asks for help. */
export function asksForHelp(args: readonly string[]): boolean {
  return args.includes('--help') || args.includes('-h');
}

/** An option of a command: how it is parsed, and its help text. */
interface Option {
  /** Placeholder of its value in the help text; an option without one is a flag. */
  readonly value?: string;
  readonly about: string;
  /** Its value if it is not given. */
  readonly default?: string;
  /** Whether it may be given more than once. */
  readonly multiple?: true;
  /** The subcommands that accept it, if the first word is a subcommand; all accept it by default. */
  readonly for?: readonly string[];
}

type Options = Readonly<Record<string, Option>>;

/** A parsed command line: the values by option name, and the words that belong to no option. */
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
  from: { value: 'TIME', about: 'received at this time or later, in UTC, such as 2026-07-10T09:00Z or 2026-07-10' },
  to: { value: 'TIME', about: 'received before this time' },
} as const satisfies Options;

/** The lines of the help text that describe the options. */
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
 * Parses a command line according to the description of its options.
 *
 * @param takesWords - Whether there may be words that belong to no option.
 * @throws UsageError when an option is unknown, is not for this command or lacks its value, and when a word is not
 * expected.
 */
export function readCommandLine<const Described extends Options>(
  args: readonly string[],
  options: Described,
  takesWords = false,
): CommandLine<Described> {
  const { values, positionals, tokens } = parse(args, options, takesWords);
  for (const token of tokens) {
    // What a variable holds that is not set.
    if (token.kind === 'option' && token.value === '') {
      throw new UsageError(`Cannot use --${token.name}: its value is empty; write one, or leave the option out`);
    }
  }
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
    // Node adds how to pass a positional argument that begins with a dash, which does not help here.
    throw new UsageError(error instanceof Error ? error.message.replace(/\. To specify .*/s, '') : String(error));
  }
}

function toParsed({ value, multiple, default: byDefault }: Option): ParseArgsOptionDescriptor {
  if (value === undefined) return { type: 'boolean', default: false };
  if (multiple) return { type: 'string', multiple, default: [] };
  return { type: 'string', ...(byDefault !== undefined && { default: byDefault }) };
}

/**
 * Refuses words that belong to no option. The message does not repeat them, since one may be a value whose option is
 * missing.
 *
 * @throws UsageError when there is one.
 */
export function refuseWords([word]: readonly string[]): void {
  if (word === undefined) return;
  throw new UsageError(
    'Cannot tell what a word without an option is: write its option before it, and quote values that contain spaces',
  );
}

/**
 * Parses the address of a service or of its endpoint.
 *
 * @returns The address of the endpoint.
 * @throws UsageError when it cannot be parsed.
 */
export function readUrl(text: string): URL {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username + url.password !== '') {
    throw new UsageError(
      'Cannot use --url: give the whole address of the service, beginning with https://, and no user name',
    );
  }
  if (url.pathname === '/') url.pathname = ENDPOINT_PATH;
  return url;
}

/**
 * Parses a time as the contract does, in UTC unless it names a zone, or a date, which stands for its first moment in
 * UTC.
 *
 * @param option - The option it was given for, for the error message.
 * @throws UsageError when it cannot be parsed.
 */
export function readTime(option: string, text: string): Date {
  const time = parseDate(text) === text ? { utc: `${text}T00:00:00.000Z` } : parseTimestamp(text);
  if (typeof time === 'string') {
    throw new UsageError(
      `Cannot use ${option}: ${JSON.stringify(text)} is not a time; write it like 2026-07-10T09:00Z or 2026-07-10`,
    );
  }
  return new Date(time.utc);
}

/**
 * Parses the options --from and --to.
 *
 * @throws UsageError when one of them is not a time, and when the range is empty.
 */
export function readRange(from: string | undefined, to: string | undefined): TimeRange {
  const range = {
    ...(from !== undefined && { from: readTime('--from', from) }),
    ...(to !== undefined && { to: readTime('--to', to) }),
  };
  if (range.from !== undefined && range.to !== undefined && range.from >= range.to) {
    throw new UsageError('Cannot use --to: it is not after --from, so nothing is between them');
  }
  return range;
}
