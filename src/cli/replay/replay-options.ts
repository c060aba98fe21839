/** What is to be replayed, from the command line. */

import { parseCommandLine, readTime, readUrl, UsageError } from '../usage.ts';
import type { Selection } from './select.ts';

/** What can be replayed. */
type Source = 'dead-letter' | 'rejected';

/** The command line, checked. */
export interface ReplayOptions {
  readonly source: Source;
  readonly selection: Selection;
  /** Whether nothing is changed and nothing sent. */
  readonly dryRun: boolean;
  /** The most requests a second. */
  readonly rate: number;
  /** Where refused bodies are posted; the service of `npm start` when it is not given. */
  readonly endpoint?: URL;
  /** Only bodies of this sender. */
  readonly sender?: string;
}

/** How the command is used. */
export const REPLAY_USAGE = `\
Usage: npm run replay -- dead-letter|rejected SELECTION [OPTIONS]

  dead-letter   puts messages that could not be landed back where they belong, as the lines they were
  rejected      posts refused bodies again, with the token in API_TOKEN; those still refused stay as they are

Selection, one of
  --key KEY                  one object; may be repeated
  --from TIME --to TIME      the objects of these hours of receipt, such as 2026-07-10T09:00Z; either may be left out
  --all                      every object

Options
  --no-dry-run               do it; without this, nothing is changed and what would happen is shown
  --rate N                   at most N requests a second (20)
  --endpoint URL             rejected: where to post (the service of \`npm start\`)
  --sender NAME              rejected: only bodies that this sender sent`;

/**
 * Reads the command line.
 *
 * @throws UsageError when it cannot be understood; the message says what to write.
 */
export function readReplayOptions(args: readonly string[]): ReplayOptions {
  const { values, positionals } = parse(args);
  const [source, ...others] = positionals;
  if ((source !== 'dead-letter' && source !== 'rejected') || others.length > 0) {
    throw new UsageError('Cannot tell what to replay: name dead-letter or rejected, one of them');
  }
  const rate = Number(values.rate);
  if (!Number.isInteger(rate) || rate < 1) {
    throw new UsageError('Cannot use --rate: give a whole number of requests a second from 1 on');
  }
  return {
    source,
    selection: readSelection(source, values.key, values.from, values.to, values.all),
    dryRun: values['dry-run'],
    rate,
    ...(values.endpoint !== undefined && { endpoint: readUrl('--endpoint', values.endpoint) }),
    ...(values.sender !== undefined && { sender: values.sender }),
  };
}

function parse(args: readonly string[]) {
  return parseCommandLine({
    args: [...args],
    allowPositionals: true,
    allowNegative: true,
    options: {
      key: { type: 'string', multiple: true, default: [] },
      from: { type: 'string' },
      to: { type: 'string' },
      all: { type: 'boolean', default: false },
      'dry-run': { type: 'boolean', default: true },
      rate: { type: 'string', default: '20' },
      endpoint: { type: 'string' },
      sender: { type: 'string' },
    },
  });
}

function readSelection(
  source: Source,
  keys: readonly string[],
  from: string | undefined,
  to: string | undefined,
  all: boolean,
): Selection {
  const ways = [keys.length > 0, from !== undefined || to !== undefined, all].filter(Boolean).length;
  if (ways !== 1) {
    throw new UsageError('Cannot tell which objects to replay: give --key, or --from and --to, or --all, one of them');
  }
  const foreign = keys.find((key) => !key.startsWith(`${source}/`));
  if (foreign !== undefined) {
    throw new UsageError(`Cannot replay ${foreign}: it is not below ${source}/; copy the key from the bucket`);
  }
  if (keys.length > 0) return { keys };
  return {
    ...(from !== undefined && { from: readTime('--from', from) }),
    ...(to !== undefined && { to: readTime('--to', to) }),
  };
}
