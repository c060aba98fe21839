/**
 * `npm run simulate`: a day of a large group goes into `landing/` of a local bucket and is published by the real Worker.
 * Says how fast, with how much memory, and what DuckDB gains by it. A number after `--` is the number of rows.
 */

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import pMap from 'p-map';
import { download } from '../../src/cli/events/download.ts';
import { freePort, type LocalService, startLocal } from '../../src/cli/local-service.ts';
import { type ObjectStore, openStore } from '../../src/cli/object-store.ts';
import { showProgress } from '../../src/cli/progress.ts';
import { readRows } from '../../src/cli/schema/duckdb.ts';
import { landedDay } from './day.ts';
import { watchHeap } from './heap.ts';
import { median } from './median.ts';

const ROWS = Number(process.argv[2] ?? 1_000_000);
const RUNS = 3;
const WRITES = 8;

const folder = await mkdtemp(join(tmpdir(), 'reservation-day-'));
const inspectorPort = await freePort();
const service = await startLocal({ stateDir: join(folder, 'state'), show: false, inspectorPort });
process.once('SIGINT', () => service.stop().then(() => process.exit(130)));
try {
  await simulate(service, openStore(service.store));
} finally {
  await service.stop();
  await rm(folder, { recursive: true });
}

async function simulate({ origin }: LocalService, store: ObjectStore): Promise<void> {
  const landed = await fill(store);
  const fromLanding = await fetchAll(store, 'landing');
  const published = await publish(origin, store);
  const { files, seconds } = await fetchAll(store, 'events');
  const times = await compare(landed.files, files);
  console.table({
    'rows landed, repeats included': { landing: landed.lines, events: times.rows.at(-1) },
    objects: { landing: landed.files.length, events: files.length },
    MB: { landing: Math.round(landed.bytes / 1e6), events: Math.round(published.bytes / 1e6) },
    'copying the day, s': { landing: fromLanding.seconds.toFixed(1), events: seconds.toFixed(1) },
    'DuckDB, s for the day': { landing: times.landing.toFixed(2), events: times.events.toFixed(2) },
    'publisher, rows/s': { landing: '', events: Math.round(ROWS / published.seconds) },
    'publisher, MB/s read': { landing: '', events: Math.round(landed.bytes / 1e6 / published.seconds) },
    'publisher, peak MB of memory': { landing: '', events: Math.round(published.peak / 1e6) },
    'publisher, runs': { landing: '', events: published.runs },
  });
  const right = times.rows.every((rows) => rows === ROWS) && published.left === 0;
  console.log(right ? `Each of the ${ROWS} events is there once` : `Expected ${ROWS} events, found ${times.rows}`);
  if (!right) process.exitCode = 1;
}

/** Lands the day, in the bucket and in files. */
async function fill(store: ObjectStore) {
  const progress = showProgress('Landing', ROWS);
  const files: string[] = [];
  let [rows, lines, bytes] = [0, 0, 0];
  const write = async (object: ReturnType<typeof landedDay> extends Generator<infer Landed> ? Landed : never) => {
    const file = join(folder, 'landed', object.key);
    await mkdir(dirname(file), { recursive: true });
    await Promise.all([store.create(object.key, object.body), writeFile(file, object.body)]);
    files.push(file);
    rows += object.rows;
    lines += object.body.split('\n').length - 1;
    bytes += Buffer.byteLength(object.body);
    progress.update(rows, 'rows');
  };
  await pMap(landedDay(ROWS), write, { concurrency: WRITES });
  progress.end();
  return { files, lines, bytes };
}

/** Copies the day out of the bucket, as a reader has to. */
async function fetchAll(store: ObjectStore, source: 'landing' | 'events') {
  const started = performance.now();
  const { files } = await download(store, join(folder, source), source, {}, new AbortController().signal);
  return { files, seconds: (performance.now() - started) / 1_000 };
}

/** Runs the publisher as its cron would, as if it were two hours later, until nothing is left. */
async function publish(origin: string, store: ObjectStore) {
  const query = new URLSearchParams({ cron: '* * * * *', time: String(Date.now() + 2 * 3_600_000) });
  const before = await count(store, 'landing/');
  const progress = showProgress('Publishing', before.objects);
  const heap = await watchHeap(inspectorPort);
  let seconds = 0;
  let runs = 0;
  for (let left = before.objects; left > 0; ) {
    const from = performance.now();
    const response = await fetch(`${origin}/cdn-cgi/handler/scheduled?${query}`);
    seconds += (performance.now() - from) / 1_000;
    if (!response.ok) throw new Error(`Cannot publish: the Worker answers ${response.status}`);
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
