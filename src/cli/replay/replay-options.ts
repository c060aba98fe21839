/** Reads the command line of `npm run replay`. */

import { COMMON_OPTIONS, describeOptions, readCommandLine, toRange, UsageError } from '../usage.ts';

const { url, yes, from, to } = COMMON_OPTIONS;

const OPTIONS = {
  from,
  to,
  all: { about: 'in place of --from and --to: every object' },
  yes: { about: `${yes.about}; without this, nothing is sent and what would happen is shown` },
  url,
  sender: { value: 'NAME', about: 'only bodies that this sender sent' },
} as const;

export const REPLAY_USAGE = `\
Usage: npm run replay -- --from TIME --to TIME [OPTIONS]
       npm run replay -- --all [OPTIONS]

Posts refused bodies again, with the token in API_TOKEN. Those that are still refused stay as they are. Either --from or
--to may be left out.

${describeOptions(OPTIONS)}`;

/**
 * Reads the command line.
 *
 * @throws UsageError that says what to write instead.
 */
export function readReplayOptions(args: readonly string[]) {
  const { from, to, all, ...others } = readCommandLine(args, OPTIONS).values;
  if (all === (from !== undefined || to !== undefined)) {
    throw new UsageError('Cannot tell which objects to replay: give --from and --to, or --all, one of them');
  }
  return { range: toRange({ from, to }), ...others };
}
