/** Reads the lines of a text file. */

import { createReadStream } from 'node:fs';
import { UsageError } from '../usage.ts';

const LF = 0x0a;

/**
 * Reads a file in UTF-8, with or without a byte order mark. Only LF ends a line: U+2028 and U+2029, at which `readline`
 * also splits, may occur in a JSON text (RFC 8259 section 7).
 *
 * @returns The lines without their LF.
 * @throws UsageError when a line is not UTF-8: another decoding would silently replace characters.
 */
export async function* readFileLines(file: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let line = 0;
  const decode = (bytes: Uint8Array) => {
    line += 1;
    try {
      return decoder.decode(bytes);
    } catch (cause) {
      const advice = 'save the file as UTF-8 (Excel: "CSV UTF-8") and run the command again';
      throw new UsageError(`Cannot read ${file}: line ${line} is not UTF-8; ${advice}`, { cause });
    }
  };
  let rest: Buffer[] = [];
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    let start = 0;
    for (let end = chunk.indexOf(LF); end >= 0; end = chunk.indexOf(LF, start)) {
      yield decode(Buffer.concat([...rest, chunk.subarray(start, end)]));
      rest = [];
      start = end + 1;
    }
    rest.push(chunk.subarray(start));
  }
  const last = Buffer.concat(rest);
  if (last.length > 0) yield decode(last);
}
