/** Reads the command line of `npm run send`. */

import { COMMON_OPTIONS, describeOptions, readCommandLine, UsageError } from '../usage.ts';

const OPTIONS = {
  url: { ...COMMON_OPTIONS.url, about: `${COMMON_OPTIONS.url.about}; end it with ?check to only check the events` },
} as const;

export const SEND_USAGE = `\
Usage: npm run send -- FILE [OPTIONS]

FILE has events: a JSON array (.json), one JSON object a line (.ndjson, .jsonl), or a table with a header (.csv), whose
columns are found by name: StartUtc, start_utc and "Start UTC" are the same.

Options
${describeOptions(OPTIONS)}

Environment
  API_TOKEN  the token to send with; for the service of \`npm start\` it is found in .dev.vars

Answers are recorded in FILE.HOST.sent.ndjson, and refused events are copied to FILE.HOST.refused.ndjson.
Run the command again to continue where it stopped; delete the first file to send everything again.`;

/**
 * Reads the command line.
 *
 * @throws UsageError when it cannot be understood.
 */
export function readSendOptions(args: readonly string[]) {
  const { values, words } = readCommandLine(args, OPTIONS, true);
  const [file, ...others] = words;
  if (file === undefined || others.length > 0) throw new UsageError('Cannot tell what to send: name one file');
  return { file, ...values };
}
