/** A day of a large group: landed in a local bucket, published by the real Worker, and read by DuckDB both ways. */

import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { DuckDBInstance } from '@duckdb/node-api';
import pMap from 'p-map';
import { pull } from '../../src/cli/events/pull.ts';
import { copyLanded } from '../../src/cli/events/query-files.ts';
import { runLocalCron } from '../../src/cli/local-crons.ts';
import { freePort, startLocal } from '../../src/cli/local-service.ts';
import { type ObjectStore, openStore } from '../../src/cli/object-store.ts';
import { readRows } from '../../src/cli/schema/duckdb.ts';
import { showProgress } from '../../src/cli/show-progress.ts';
import { GZIP_LEVEL } from '../../src/publish/gzip.ts';
import { type LandedObject, landedDay } from './day.ts';
import { watchHeap } from './heap.ts';
import { median } from './median.ts';

const RUNS = 3;
const WRITES = 8;
/** Landed objects on which the speed of gzip is measured: some 40 MB. */
const GZIP_FILES = 400;

/** One side of the day. Bytes, and seconds. */
interface Side {
  /** Rows that DuckDB found, each event once. */
  readonly rows: number;
  readonly objects: number;
  readonly bytes: number;
  readonly copySeconds: number;
  readonly querySeconds: number;
}

/** What a day came to. */
export interface DayResult {
  readonly rows: number;
  /** Rows as landed, repeats included. */
  readonly lines: number;
  readonly landing: Side;
  readonly events: Side;
  readonly publishSeconds: number;
  readonly publishRuns: number;
  /** What one core of this machine gzips in a second, in bytes of rows: the floor of publishing. */
  readonly gzipBytesPerSecond: number;
  /** The most memory that the Worker had while it published: heap and buffers. */
  readonly peakBytes: number;
}

/** A day in the making. */
interface Day {
  readonly rows: number;
  readonly folder: string;
  readonly origin: string;
  readonly inspectorPort: number;
  readonly store: ObjectStore;
}

/**
 * Simulates a day.
 *
 * @throws When an event is missing or there twice, or when something is left in `landing/`.
 */
export async function simulateDay(rows: number): Promise<DayResult> {
  const folder = await mkdtemp(join(tmpdir(), 'reservation-day-'));
  const inspectorPort = await freePort();
  const service = await startLocal({ stateDir: join(folder, 'state'), show: false, inspectorPort });
  const interrupt = () => service.stop().then(() => process.exit(130));
  process.once('SIGINT', interrupt);
  try {
    return await run({ rows, folder, origin: service.origin, inspectorPort, store: openStore(service.store) });
  } finally {
    process.off('SIGINT', interrupt);
    await service.stop();
    await rm(folder, { recursive: true });
  }
}

async function run(day: Day): Promise<DayResult> {
  const landed = await fill(day);
  const fromLanding = await fetchAll(day, 'landing');
  const published = await publish(day);
  const fromEvents = await fetchAll(day, 'events');
  const times = await compare(landed.files, fromEvents.files);
  const right = times.rows.every((rows) => rows === day.rows) && published.left === 0;
  if (!right)
    throw new Error(`Expected each of ${day.rows} events once, found ${times.rows} and ${published.left} left`);
  return {
    rows: day.rows,
    lines: landed.lines,
    landing: {
      rows: day.rows,
      objects: landed.files.length,
      bytes: landed.bytes,
      copySeconds: fromLanding.seconds,
      querySeconds: times.landing,
    },
    events: {
      rows: day.rows,
      objects: fromEvents.files.length,
      bytes: published.bytes,
      copySeconds: fromEvents.seconds,
      querySeconds: times.events,
    },
    publishSeconds: published.seconds,
    publishRuns: published.runs,
    gzipBytesPerSecond: gzipSpeed(landed.files),
    peakBytes: published.peak,
  };
}

/** Lands the day, in the bucket and in files. */
async function fill({ rows: total, folder, store }: Day) {
  const progress = showProgress('Landing', total);
  const files: string[] = [];
  let [rows, lines, bytes] = [0, 0, 0];
  const write = async (object: LandedObject) => {
    const file = join(folder, 'landed', object.key);
    await mkdir(dirname(file), { recursive: true });
    await Promise.all([store.create(object.key, object.body), writeFile(file, object.body)]);
    files.push(file);
    rows += object.rows;
    lines += object.body.split('\n').length - 1;
    bytes += Buffer.byteLength(object.body);
    progress.update(rows, 'rows');
  };
  await pMap(landedDay(total), write, { concurrency: WRITES });
  progress.end();
  return { files, lines, bytes };
}

/** Compresses some of the rows as a part is compressed, and nothing else. */
function gzipSpeed(files: readonly string[]): number {
  const rows = Buffer.concat(files.slice(0, GZIP_FILES).map((file) => readFileSync(file)));
  const started = performance.now();
  gzipSync(rows, { level: GZIP_LEVEL });
  return rows.byteLength / ((performance.now() - started) / 1_000);
}

/** Copies the day out of the bucket, as a reader has to. */
async function fetchAll({ folder, store }: Day, source: 'landing' | 'events') {
  const started = performance.now();
  const { signal } = new AbortController();
  const into = join(folder, source);
  const files =
    source === 'landing' ? await copyLanded(store, into, {}, signal) : (await pull(store, into, {}, signal)).files;
  return { files, seconds: (performance.now() - started) / 1_000 };
}

/** Runs the publisher as its cron would, as if it were two hours later, until nothing is left. */
async function publish({ origin, inspectorPort, store }: Day) {
  const before = await count(store, 'landing/');
  const progress = showProgress('Publishing', before.objects);
  const heap = await watchHeap(inspectorPort);
  let seconds = 0;
  let runs = 0;
  for (let left = before.objects; left > 0; ) {
    const from = performance.now();
    await runLocalCron(origin, 'publish');
    seconds += (performance.now() - from) / 1_000;
    runs += 1;
    left = (await count(store, 'landing/')).objects;
    progress.update(before.objects - left, `objects, ${runs} runs, ${Math.round(seconds)} s`);
  }
  progress.end();
  const peak = await heap.stop();
  const { bytes } = await count(store, 'events/v1/dt=');
  return { bytes, seconds, runs, peak, left: (await count(store, 'landing/')).objects };
}

async function count(store: ObjectStore, prefix: string) {
  let [objects, total] = [0, 0];
  for await (const { bytes } of store.list(prefix)) {
    objects += 1;
    total += bytes;
  }
  return { objects, bytes: total };
}

/** The same question to both, in turns. To be right, landing has to take one row for each event_id. */
async function compare(landing: readonly string[], events: readonly string[]) {
  const connection = await (await DuckDBInstance.create()).connect();
  const list = (files: readonly string[]) => `[${files.map((file) => `'${file}'`).join(', ')}]`;
  const ask = async (from: string) => {
    const started = performance.now();
    const [row] = (
      await connection.runAndReadAll(
        `SELECT sum(events)::INT AS events FROM (SELECT property_id, event_type, count(*) AS events, max(start_utc) FROM (${from}) GROUP BY ALL)`,
      )
    ).getRowObjectsJson();
    return { seconds: (performance.now() - started) / 1_000, rows: Number(row?.events) };
  };
  const rows: number[] = [];
  const times = { landing: [] as number[], events: [] as number[] };
  for (let run = 0; run < RUNS; run++) {
    const fromLanding = await ask(
      `FROM ${readRows(list(landing))} QUALIFY row_number() OVER (PARTITION BY event_id) = 1`,
    );
    const fromEvents = await ask(`FROM ${readRows(list(events))}`);
    times.landing.push(fromLanding.seconds);
    times.events.push(fromEvents.seconds);
    rows.push(fromLanding.rows, fromEvents.rows);
  }
  const different = `SELECT count(DISTINCT event_id)::INT AS ids FROM ${readRows(list(events))}`;
  const [row] = (await connection.runAndReadAll(different)).getRowObjectsJson();
  rows.push(Number(row?.ids));
  return { landing: median(times.landing), events: median(times.events), rows };
}
