/** What it takes to find a guest in a year of events, and to erase one: a day is searched, and the rest worked out. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { v7 } from 'uuid';
import { openFolder } from '../../src/cli/folder-store.ts';
import { search } from '../../src/cli/guests/search.ts';
import { GZIP_LEVEL } from '../../src/publish/gzip.ts';
import { eventsKey, partitionIn, startOf } from '../../src/storage/keys.ts';
import { PRICES } from './cost.ts';
import { landedDay } from './day.ts';

const DAYS = 365;
const ROWS_A_DAY = 100_000;
/** One part each five minutes, as PUBLISH_AFTER_MINUTES is delivered. */
const PARTS_AN_HOUR = 12;
const PARTS_A_DAY = 24 * PARTS_AN_HOUR;

/** Over the network, an object takes this long to come, in milliseconds, and this many come at once. */
const READ_MS = 50;
const READS = 16;

/** A guest with four stays in the year, each on another day with events in three parts. */
const DAYS_OF_GUEST = 4;
const PARTS_OF_GUEST = 3 * DAYS_OF_GUEST;

/** What finding and erasing take. */
export interface GuestsResult {
  /** Of the search on this machine, from disk. */
  readonly rowsPerSecond: number;
  readonly find: {
    readonly objects: number;
    readonly bytes: number;
    readonly seconds: number;
    readonly dollars: number;
  };
  /** Beyond finding. */
  readonly erase: { readonly objects: number; readonly bytes: number; readonly dollars: number };
}

/** Searches a day of parts for a guest who is in one row of each hour's first part, and counts what a year comes to. */
export async function benchGuests(folder: string): Promise<GuestsResult> {
  const bucket = join(folder, 'guests');
  const bytesADay = writeDay(bucket);
  const before = process.cpuUsage();
  const { hits, objects } = await search(
    { ...openFolder(bucket), now: async () => new Date() },
    {
      selection: {
        customerIds: ['nobody'],
        reservationIds: [],
        emails: ['nobody@example.com'],
        phones: ['+420 602 123 456'],
        names: ['Nobody Nowhere'],
        birthDates: ['1987-11-02'],
        integrationIds: ['nobody'],
        propertyIds: ['nobody'],
      },
      range: { to: new Date(8.64e15) },
      checkpoint: undefined,
    },
    new AbortController().signal,
    () => {},
  );
  // Of the processor: what else the machine does is no part of it.
  const { user, system } = process.cpuUsage(before);
  const seconds = (user + system) / 1e6;
  if (objects.size !== PARTS_A_DAY || hits.length > 0)
    throw new Error(`Searched ${objects.size} parts and found ${hits.length} rows`);

  const parts = DAYS * PARTS_A_DAY;
  const pages = Math.ceil(parts / 1_000);
  // The listing of parts, made again at the end, and that of the log; each object once.
  const find = {
    objects: parts,
    bytes: DAYS * bytesADay,
    seconds: DAYS * seconds + (parts * READ_MS) / READS / 1_000,
    dollars: 3 * pages * PRICES.r2ClassA + parts * PRICES.r2ClassB,
  };
  // A part is read and written, its entry is written, and so is the record before and after; a day of Parquet reads the
  // parts of the day, and writes an object, its entry and its progress.
  const read = PARTS_OF_GUEST + DAYS_OF_GUEST * PARTS_A_DAY;
  const erase = {
    objects: read,
    bytes: (read * bytesADay) / PARTS_A_DAY,
    dollars: (4 * PARTS_OF_GUEST + 3 * DAYS_OF_GUEST) * PRICES.r2ClassA + read * PRICES.r2ClassB,
  };
  return { rowsPerSecond: ROWS_A_DAY / seconds, find, erase };
}

/** Writes a day as the publisher would, and returns its bytes. */
function writeDay(bucket: string): number {
  const lines = Map.groupBy(
    landedDay(ROWS_A_DAY).flatMap(({ key, body }) => {
      const partition = partitionIn(key) ?? '';
      return body.split(/(?<=\n)/).map((line) => ({ partition, line }));
    }),
    ({ partition, line }) => `${partition} ${Math.floor((timeOf(line) / 3_600_000) * PARTS_AN_HOUR)}`,
  );
  let bytes = 0;
  for (const inPart of lines.values()) {
    const partition = inPart[0]?.partition ?? '';
    const body = gzipSync(inPart.map(({ line }) => line).join(''), { level: GZIP_LEVEL });
    const file = join(bucket, eventsKey(partition, v7({ msecs: startOf(partition) })));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, body);
    bytes += body.length;
  }
  return bytes;
}

function timeOf(line: string): number {
  return Date.parse(/"received_at":"([^"]+)"/.exec(line)?.[1] ?? '');
}
