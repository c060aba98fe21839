/** The events of a file, in the order in which they stand there. */

import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { createInterface } from 'node:readline';
import { UsageError } from '../usage.ts';
import { readCsv } from './read-csv.ts';
import { splitArray } from './split-array.ts';

/** The text of an event, and where it stands. */
export interface Found {
  readonly line: number;
  readonly body: string;
}

/**
 * Reads a file of events. Only CSV is turned into JSON; what is JSON already is sent as it stands, right or wrong, since
 * the service says best what is wrong with it.
 *
 * @throws UsageError when the file is of none of the kinds, or cannot be taken apart.
 */
export async function* readEvents(file: string): AsyncGenerator<Found> {
  switch (extname(file).toLowerCase()) {
    case '.ndjson':
    case '.jsonl':
      yield* readLines(file);
      return;
    case '.json':
      yield* splitArray(await readFile(file, 'utf8'));
      return;
    case '.csv':
      yield* readCsv(file);
      return;
    default:
      throw new UsageError(`Cannot read ${file}: its name ends in none of .json, .ndjson, .jsonl and .csv`);
  }
}

async function* readLines(file: string): AsyncGenerator<Found> {
  let line = 0;
  for await (const text of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })) {
    line += 1;
    const body = text.replace(/^\ufeff/, '').trim();
    if (body !== '') yield { line, body };
  }
}
