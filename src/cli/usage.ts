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
  /** Placeholder of its value in the help text, or the values to choose from; an option without is a flag. */
  readonly value?: string | readonly string[];
  readonly about: string;
  /** Its value if it is not given. */
  readonly default?: string;
  /** Whether it may be given more than once. */
  readonly multiple?: true;
  /** The subcommands that accept it, if the first word is a subcommand; all accept it by default. */
  readonly for?: readonly string[];
  /** Converts a value that is given. @throws UsageError */
  readonly read?: (text: string, option: string) => unknown;
}

type Options = Readonly<Record<string, Option>>;

/** A parsed command line: the values by option name, and the words that belong to no option. */
export interface CommandLine<Described extends Options> {
  readonly values: { readonly [Name in keyof Described]: ValueOf<Described[Name]> };
  readonly words: readonly string[];
}

type ValueOf<One extends Option> = One extends { multiple: true }
  ? readonly Single<One>[]
  : One extends { default: string }
    ? Single<One>
    : One extends { value: string | readonly string[] }
      ? Single<One> | undefined
      : boolean;

type Single<One extends Option> = One extends { read: (text: string, option: string) => infer Value }
  ? Value
  : One extends { value: readonly (infer Choice)[] }
    ? Choice
    : string;

/** The options that mean the same in every command. */
export const COMMON_OPTIONS = {
  url: { value: 'URL', about: 'the service (the one of `npm start`)', read: readUrl },
  yes: { about: 'does it without asking' },
  from: {
    value: 'TIME',
    about: 'received at this time or later, in UTC, such as 2026-07-10T09:00Z or 2026-07-10',
    read: readTime,
  },
  to: { value: 'TIME', about: 'received before this time', read: readTime },
} as const satisfies Options;

/** The lines of the help text that describe the options. */
export function describeOptions(options: Options): string {
  const rows = Object.entries(options).map(([name, option]) => {
    const commands = option.for === undefined ? '' : `${option.for.join(', ')}: `;
    const byDefault = option.default === undefined ? '' : ` (${option.default})`;
    const value = [option.value ?? []].flat().join('|');
    const named = `--${name} ${value}`.trimEnd();
    return [named, `${commands}${option.about}${byDefault}`] as const;
  });
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, about]) => `  ${name.padEnd(width)}  ${about}`).join('\n');
}

/**
 * Parses a command line according to the description of its options.
 *
 * @param takesWords - Whether there may be words that belong to no option.
 * @throws UsageError when an option is unknown, is not for this command, lacks its value or cannot have that value, and
 * when a word is not expected.
 */
export function readCommandLine<const Described extends Options>(
  args: readonly string[],
  options: Described,
  takesWords = false,
): CommandLine<Described> {
  const { values, positionals, tokens } = parse(args, options, takesWords);
  for (const token of tokens) {
    const option = token.kind === 'option' ? options[token.name] : undefined;
    if (token.kind !== 'option' || option === undefined) continue;
    const { value, rawName } = token;
    if (option.for?.includes(positionals[0] ?? '') === false) {
      throw new UsageError(`Cannot use ${rawName}: it is for ${option.for.join(' and ')} alone`);
    }
    // What a variable holds that is not set.
    if (value?.trim() === '') {
      throw new UsageError(`Cannot use ${rawName}: its value is empty; write one, or leave the option out`);
    }
    if (typeof option.value === 'object' && !option.value.includes(value ?? '')) {
      throw new UsageError(`Cannot use ${rawName} ${value}: give one of ${option.value.join(', ')}`);
    }
  }
  const read = Object.entries(values).map(([name, value]) => [name, converted(name, value, options[name]?.read)]);
  return { values: Object.fromEntries(read), words: positionals };
}

function converted(name: string, value: unknown, read: Option['read']): unknown {
  return typeof value === 'string' && read !== undefined ? read(value, `--${name}`) : value;
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
export function readTime(text: string, option: string): Date {
  const time = parseDate(text) === text ? { utc: `${text}T00:00:00.000Z` } : parseTimestamp(text);
  if (typeof time === 'string') {
    throw new UsageError(
      `Cannot use ${option}: ${JSON.stringify(text)} is not a time; write it like 2026-07-10T09:00Z or 2026-07-10`,
    );
  }
  return new Date(time.utc);
}

/**
 * The range of the options --from and --to.
 *
 * @throws UsageError when it is empty.
 */
export function toRange({ from, to }: TimeRange): TimeRange {
  if (from === undefined || to === undefined || from < to) return { from, to };
  throw new UsageError('Cannot use --to: it is not after --from, so nothing is between them');
}
