/** The events of a file, in the order in which they stand there. */

import { extname } from 'node:path';
import { UsageError } from '../usage.ts';
import type { EventText } from './outgoing.ts';
import { readCsv } from './read-csv.ts';
import { readLines } from './read-lines.ts';
import { splitArray } from './split-array.ts';

/**
 * Reads a file of events. Only CSV is turned into JSON; what is JSON already is sent as it stands, right or wrong, since
 * the service says best what is wrong with it.
 *
 * @throws UsageError when the file is of none of the kinds, is not UTF-8, or cannot be taken apart.
 */
export async function* readEvents(file: string): AsyncGenerator<EventText> {
  switch (extname(file).toLowerCase()) {
    case '.ndjson':
    case '.jsonl':
      yield* readNdjson(file);
      return;
    case '.json':
      yield* splitArray((await Array.fromAsync(readLines(file))).join('\n'));
      return;
    case '.csv':
      yield* readCsv(file);
      return;
    default:
      throw new UsageError(`Cannot read ${file}: its name ends in none of .json, .ndjson, .jsonl and .csv`);
  }
}

async function* readNdjson(file: string): AsyncGenerator<EventText> {
  let line = 0;
  for await (const text of readLines(file)) {
    line += 1;
    const body = text.trim();
    if (body !== '') yield { line, body };
  }
}
