/** What is to be replayed, from the command line. */

import type { TimeRange } from '../list-hours.ts';
import {
  COMMON_OPTIONS,
  type CommandLine,
  describeOptions,
  readCommandLine,
  readCount,
  readRange,
  readUrl,
  UsageError,
} from '../usage.ts';
import { REJECTED } from './replay-rejections.ts';

/** Objects by name, or by the hours they are from; all of them when neither end of the time is given. */
type Selection = { readonly keys: readonly string[] } | TimeRange;

/** The command line, checked. */
export interface ReplayOptions {
  readonly selection: Selection;
  /** Whether bodies are sent; without it, what would be sent is told. */
  readonly yes: boolean;
  /** The most requests a second. */
  readonly rate: number;
  /** Where the bodies are posted; the service of `npm start` when it is not given. */
  readonly url?: URL;
  /** Only bodies of this sender. */
  readonly sender?: string;
}

const { url, yes, from, to } = COMMON_OPTIONS;

const SELECTION = {
  key: { value: 'KEY', about: 'one object; may be repeated', multiple: true },
  from,
  to,
  all: { about: 'every object' },
} as const;

const OPTIONS = {
  yes: { about: `${yes.about}; without this, nothing is sent and what would happen is shown` },
  url,
  rate: { value: 'N', about: 'at most N requests a second', default: '20' },
  sender: { value: 'NAME', about: 'only bodies that this sender sent' },
} as const;

/** How the command is used. */
export const REPLAY_USAGE = `\
Usage: npm run replay -- SELECTION [OPTIONS]

Posts refused bodies again, with the token in API_TOKEN. Those that are still refused stay as they are.

Selection: --key, or --from and --to of which either may be left out, or --all
${describeOptions(SELECTION)}

Options
${describeOptions(OPTIONS)}`;

/**
 * Reads the command line.
 *
 * @throws UsageError when it cannot be understood; the message says what to write.
 */
export function readReplayOptions(args: readonly string[]): ReplayOptions {
  const { values } = readCommandLine(args, { ...SELECTION, ...OPTIONS });
  const { yes, rate, url, sender } = values;
  return {
    selection: readSelection(values),
    yes,
    rate: readCount('--rate', rate),
    ...(url !== undefined && { url: readUrl(url) }),
    ...(sender !== undefined && { sender }),
  };
}

function readSelection({ key: keys, from, to, all }: CommandLine<typeof SELECTION>['values']): Selection {
  const ways = [keys.length > 0, from !== undefined || to !== undefined, all].filter(Boolean).length;
  if (ways !== 1) {
    throw new UsageError('Cannot tell which objects to replay: give --key, or --from and --to, or --all, one of them');
  }
  const foreign = keys.find((key) => !key.startsWith(REJECTED));
  if (foreign !== undefined) {
    throw new UsageError(`Cannot replay ${foreign}: it is not below ${REJECTED}; copy the key from the bucket`);
  }
  return keys.length > 0 ? { keys } : readRange(from, to);
}
