/** What each step costs alone, without the platform: in this process, measured by mitata. */

import { bench, do_not_optimize, run } from 'mitata';
import { normalise } from '../../src/contract/normalise.ts';
import { COLUMNS } from '../../src/contract/row.ts';
import { land } from '../../src/landing/land.ts';
import { buildPart } from '../../src/publish/build-part.ts';
import { LIMITS } from '../../src/publish/limits.ts';
import { uuidv7 } from '../../src/storage/event-id.ts';
import { IdSet } from '../../src/storage/id-set.ts';
import { landingPrefix, partitionIn } from '../../src/storage/keys.ts';
import { toLine } from '../../src/storage/line.ts';
import { readInOrder } from '../../src/storage/read-in-order.ts';
import { writeRows } from '../../src/table/data-file.ts';
import { TABLE_LIMITS } from '../../src/table/limits.ts';
import { FULL_EVENT } from '../sample.ts';
import { sampleRow } from '../sample-row.ts';
import { landedDay } from './landed-day.ts';

/** Nearly a whole part. */
const PART_ROWS = 140_000;
const MESSAGES = 100;

/** Measures every step and prints what mitata finds. */
export async function benchSteps(): Promise<void> {
  bench('normalise a full event', () => do_not_optimize(normalise({ ...FULL_EVENT })));
  bench(`land ${MESSAGES} messages`, landMessages());
  const hour = hourOf(PART_ROWS);
  bench(`build a part of ${PART_ROWS} rows, ${Math.round(hour.bytes / 1e6)} MB`, hour.build);
  const rows = hour.rows(TABLE_LIMITS.fileRows);
  bench(`write a data file of ${rows.length} rows`, () => do_not_optimize(writeRows(rows, TABLE_LIMITS.groupRows)));
  await run();
}

/** A batch of messages to one object, in a bucket that is done at once. */
function landMessages(): () => Promise<object> {
  const origin = { queue: 'landing', stage: 'queue', carries: 'landing' } as const;
  const deliveries = Array.from({ length: MESSAGES }, () => ({
    id: 'm',
    timestamp: new Date(),
    attempts: 1,
    body: toLine(sampleRow(FULL_EVENT, uuidv7())),
    ack() {},
    retry() {},
  }));
  const bucket = {
    async put(_key: string, value: string) {
      // Reading the last character makes the engine join the lines, as sending them would.
      if (value.charCodeAt(value.length - 1) !== 10) throw new Error('Cannot measure landing: this is no line');
      return {};
    },
    // Only of refused bodies and foreign messages is it asked whom to erase.
    get: () => Promise.reject(new Error('Cannot measure landing: it reads')),
    list: () => Promise.reject(new Error('Cannot measure landing: it lists')),
  };
  return () => land(origin, deliveries, bucket);
}

/** The landing objects of one hour, in memory. */
function hourOf(rows: number) {
  const objects = new Map(
    landedDay(rows)
      .take(rows / MESSAGES)
      .map(({ key, body }) => [key, new TextEncoder().encode(body)]),
  );
  const bucket = {
    async get(key: string) {
      const bytes = objects.get(key);
      return bytes === undefined ? null : { arrayBuffer: async () => bytes.slice().buffer };
    },
  } as unknown as Pick<R2Bucket, 'get'>;
  const partition = partitionIn([...objects.keys()][0] ?? '') ?? '';
  const { length } = landingPrefix(partition);
  const sources = Array.from(objects, ([key, { byteLength }]): [string, number] => [key.slice(length), byteLength]);
  return {
    bytes: sources.reduce((sum, [, bytes]) => sum + bytes, 0),
    async build() {
      const planned = { partition, output: '', sources };
      const { facts } = await buildPart((read) => readInOrder(bucket, read, LIMITS), planned, new IdSet(), LIMITS);
      if (facts?.rows !== rows) throw new Error(`Cannot measure: ${facts?.rows} rows came out of ${rows}`);
    },
    /** Some of the rows as the table takes them. */
    rows(count: number) {
      const lines = objects.values().flatMap((bytes) => new TextDecoder().decode(bytes).trimEnd().split('\n'));
      return lines
        .take(count)
        .map((line) => JSON.parse(line))
        .map((row) => [...COLUMNS.map((name) => row[name]), 1])
        .toArray();
    },
  };
}
