/** What is to be sent, from the command line. */

import { parseCommandLine, readUrl, UsageError } from '../usage.ts';

/** The command line, checked. */
export interface SendOptions {
  /** The file of events, or how many to make and from which seed. */
  readonly source: { readonly file: string } | { readonly generate: number; readonly seed: number };
  /** Where to post; the service of `npm start` when it is not given. */
  readonly url?: URL;
  /** The most requests at a time. */
  readonly concurrency: number;
}

/** How the command is used. */
export const SEND_USAGE = `\
Usage: npm run send -- FILE [OPTIONS]
       npm run send -- --generate N [OPTIONS]

  FILE            events: a JSON array (.json), one JSON object a line (.ndjson, .jsonl), or a table
                  with a header (.csv), whose columns are found by name: StartUtc, start_utc and "Start UTC" are the same
  --generate N    N events of realistic stays that move through their states

Options
  --seed N        --generate: other stays for another number (1)
  --url URL       the endpoint (the service of \`npm start\`); end it with ?check to have the events checked only
  --concurrency N at most N requests at a time (8)

Environment
  API_TOKEN       the token to send with; for the service of \`npm start\` it is found in .dev.vars

What has been answered is noted in FILE.HOST.sent.ndjson, and what was refused is copied to FILE.HOST.refused.ndjson.
Run the command again and it goes on where it stopped; delete the first file to send everything once more.`;

/**
 * Reads the command line.
 *
 * @throws UsageError when it cannot be understood.
 */
export function readSendOptions(args: readonly string[]): SendOptions {
  const { values, positionals } = parse(args);
  const { generate, seed, url, concurrency } = values;
  const [file, ...others] = positionals;
  if ((file === undefined) === (generate === undefined) || others.length > 0) {
    throw new UsageError('Cannot tell what to send: name one file, or give --generate with a number of events');
  }
  return {
    source:
      file === undefined
        ? { generate: wholeNumber('--generate', generate), seed: wholeNumber('--seed', seed) }
        : { file },
    concurrency: wholeNumber('--concurrency', concurrency),
    ...(url !== undefined && { url: readUrl(url) }),
  };
}

function parse(args: readonly string[]) {
  return parseCommandLine({
    args: [...args],
    allowPositionals: true,
    options: {
      generate: { type: 'string' },
      seed: { type: 'string', default: '1' },
      url: { type: 'string' },
      concurrency: { type: 'string', default: '8' },
    },
  });
}

function wholeNumber(option: string, text = ''): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 1)
    throw new UsageError(`Cannot use ${option}: give a whole number from 1 on`);
  return number;
}
