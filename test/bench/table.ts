/** The table: what writing it costs the Worker, and what it saves a reader who asks a question of a day. */

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { v7 } from 'uuid';
import { createViews } from '../../src/cli/events/views.ts';
import { GZIP_LEVEL } from '../../src/publish/gzip.ts';
import { TABLE_METADATA } from '../../src/storage/iceberg/table.ts';
import { eventsKey, logKey, partitionAt, WATERMARK_KEY } from '../../src/storage/keys.ts';
import { bundle } from './bundle.ts';
import { PRICES } from './cost.ts';
import { landedDay } from './day.ts';
import { watchHeap } from './heap.ts';
import { cpuMicroseconds } from './load.ts';
import { median } from './median.ts';
import { sendBatches } from './send-batches.ts';
import { type Served, serve } from './serve.ts';

const ROUNDS = 3;
const PORT = 18_790;
const INSPECTOR_PORT = 18_791;

/** A day of so many rows. */
const DAY_ROWS = 1_000_000;

/** A part every five minutes. */
const PARTS = 288;

/** Parts that are appended one by one, so that there are small files. */
const SINGLE_PARTS = 40;
/** More parts than a run takes on. */
const WAITING_PARTS = 190;
/** Parts that are appended while batches come in. */
const LAST_PARTS = 80;

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** What is asked of a day. */
const QUESTIONS = {
  'GROUP BY': 'SELECT property_id, event_type, count(*) FROM events GROUP BY ALL',
  'one hotel':
    'SELECT event_type, count(*) FROM events WHERE property_id = (SELECT min(property_id) FROM events) GROUP BY ALL',
  'latest state': 'SELECT reservation_state, count(*) FROM latest_reservations GROUP BY ALL',
} as const;

/** What a run has cost. */
interface RunCost {
  readonly ended: string;
  readonly rows: number;
  readonly commits: number;
  readonly classA: number;
  readonly classB: number;
  readonly cpuSeconds: number;
}

/** Runs of one kind. */
interface RunsResult {
  readonly what: string;
  readonly runs: number;
  readonly rows: number;
  readonly rowsPerSecond: number;
  /** The most that one run took. */
  readonly cpuSeconds: number;
  /**
   * The most memory that was in use: heap and buffers, without garbage and the bucket that stood in for R2; null where it
   * was not measured.
   */
  readonly peakBytes: number | null;
  readonly classA: number;
  readonly classB: number;
}

/** One question to the day, in seconds. */
interface Question {
  readonly question: string;
  readonly ndjson: number;
  readonly small: number;
  readonly rewritten: number;
}

/** What was measured. */
export interface TableResult {
  readonly runs: readonly RunsResult[];
  readonly files: { readonly small: number; readonly rewritten: number };
  readonly megabytes: { readonly ndjson: number; readonly small: number; readonly rewritten: number };
  /** Of the metadata when the day was rewritten, in bytes. */
  readonly metadata: { readonly current: number; readonly all: number };
  readonly questions: readonly Question[];
  /** For a month of commits every five, and every two minutes, in US dollars. */
  readonly monthly: { readonly commits288: number; readonly commits720: number };
}

/** Writes a day and asks questions of it. */
export async function benchTable(
  folder: string,
  progress: (done: number, total: number) => void,
): Promise<TableResult> {
  const [code, stub] = await Promise.all([bundle('test/bench/workers/table.ts'), bundle('test/bench/workers/stub.ts')]);
  await mkdir(join(folder, 'columns'), { recursive: true });
  const parts = [...partsOfDay()];
  const start = Date.parse('2026-07-11T00:00:00Z');

  const watched = await serve(join(folder, 'table-memory'), code, stub, PORT, { inspectorPort: INSPECTOR_PORT });
  const runs: RunsResult[] = [];
  try {
    await fetch(`${watched.origin}/?forget&prefix=none`);
    for (const [at, part] of parts.slice(0, SINGLE_PARTS).entries()) {
      await publish(watched, at + 1, part, start);
      await once(watched, start);
    }
    const publishFrom = async (first: number, count: number) => {
      for (const [at, part] of parts.slice(first, first + count).entries()) {
        await publish(watched, first + at + 1, part, start);
      }
    };
    await publishFrom(SINGLE_PARTS, WAITING_PARTS);
    runs.push(await measure(watched, 'append as much as a run may', start));
    const last = SINGLE_PARTS + WAITING_PARTS;
    await publishFrom(last, LAST_PARTS);
    runs.push(await measure(watched, 'append beside eight batches that come in', start, true));
    await put(watched, WATERMARK_KEY, JSON.stringify(watermark(start + DAY_MS, last + LAST_PARTS)), start);
    runs.push(await measure(watched, 'rewrite as much as a run may', start + DAY_MS));
  } finally {
    await watched.stop();
  }

  const served = await serve(join(folder, 'table'), code, stub, PORT, { inspectorPort: INSPECTOR_PORT });
  try {
    const ndjson: string[] = [];
    const appended: RunCost[] = [];
    for (const [at, part] of parts.entries()) {
      const time = start + at * 5 * MINUTE_MS;
      const name = join(folder, 'columns', `${at}.ndjson.gz`);
      await writeFile(name, part);
      ndjson.push(name);
      await publish(served, at + 1, part, time);
      appended.push(await once(served, time));
      progress(at + 1, parts.length + 2);
    }
    const small = await download(served, folder, 'small');
    const end = start + 2 * DAY_MS;
    await put(served, WATERMARK_KEY, JSON.stringify(watermark(end, parts.length)), end);
    const rewritten: RunCost[] = [];
    do rewritten.push(await once(served, end + rewritten.length * 2 * MINUTE_MS));
    while (rewritten.at(-1)?.ended === 'more');
    runs.push(resultOf('append a part', appended), resultOf('rewrite the day', rewritten));
    progress(parts.length + 1, parts.length + 2);
    const metadata = (await list(served, TABLE_METADATA)).map(({ key, bytes }) => ({ key, bytes }));
    const large = await download(served, folder, 'rewritten');
    const current = metadata.filter(({ key }) => key.endsWith('.metadata.json')).map(({ bytes }) => bytes);
    return {
      runs,
      files: { small: small.paths.length, rewritten: large.paths.length },
      megabytes: {
        ndjson: parts.reduce((sum, part) => sum + part.length, 0) / 1e6,
        small: small.bytes / 1e6,
        rewritten: large.bytes / 1e6,
      },
      metadata: { current: Math.max(...current), all: metadata.reduce((sum, { bytes }) => sum + bytes, 0) },
      questions: await ask(ndjson, small.paths, large.paths),
      monthly: monthlyCost(appended),
    };
  } finally {
    await served.stop();
  }
}

/** What appending costs in a month: operations of R2, and CPU for the work besides the rows. */
function monthlyCost(appended: readonly RunCost[]): TableResult['monthly'] {
  const of = (commits: number) => {
    const idle = 720 - commits;
    const [classA, classB] = [median(appended.map((run) => run.classA)), median(appended.map((run) => run.classB))];
    // A run that finds nothing lists the table once and reads what is new in the log.
    const day =
      commits * (classA * PRICES.r2ClassA + classB * PRICES.r2ClassB) +
      idle * (PRICES.r2ClassA * 2 + 10 * PRICES.r2ClassB);
    return 30 * day;
  };
  return { commits288: of(288), commits720: of(720) };
}

/** One run, and the memory that is in use while it goes on. */
async function measure(served: Served, what: string, time: number, besideBatches = false): Promise<RunsResult> {
  // Two looks at what is there already: the bucket that stands in for R2.
  const before = await watchHeap(INSPECTOR_PORT, true);
  await sleep(1_200);
  const held = await before.stop();
  const heap = await watchHeap(INSPECTOR_PORT, true);
  const end = besideBatches ? sendBatches(served.origin) : undefined;
  const run = await once(served, time);
  await end?.();
  return resultOf(what, [run], (await heap.stop()) - held);
}

function resultOf(what: string, runs: readonly RunCost[], peakBytes: number | null = null): RunsResult {
  const rows = sum(runs, 'rows');
  return {
    what,
    runs: runs.length,
    rows,
    rowsPerSecond: rows / sum(runs, 'cpuSeconds'),
    cpuSeconds: Math.max(...runs.map((run) => run.cpuSeconds)),
    peakBytes,
    classA: sum(runs, 'classA') / runs.length,
    classB: sum(runs, 'classB') / runs.length,
  };
}

function sum(runs: readonly RunCost[], name: 'rows' | 'cpuSeconds' | 'classA' | 'classB'): number {
  return runs.reduce((total, run) => total + run[name], 0);
}

async function once(served: Served, time: number): Promise<RunCost> {
  const before = cpuMicroseconds(served.pid);
  const response = await fetch(`${served.origin}/?time=${time}`);
  if (!response.ok) throw new Error(`Cannot write the table: ${await response.text()}`);
  const run = (await response.json()) as Omit<RunCost, 'cpuSeconds'>;
  return { ...run, cpuSeconds: (cpuMicroseconds(served.pid) - before) / 1e6 };
}

async function put(served: Served, key: string, body: string | Uint8Array<ArrayBuffer>, time: number, of?: string) {
  const query = new URLSearchParams({ key, time: String(time), ...(of !== undefined && { of }) });
  await fetch(`${served.origin}/?${query}`, { method: 'POST', body });
}

async function list(served: Served, prefix: string): Promise<{ key: string; bytes: number }[]> {
  return (await fetch(`${served.origin}/?prefix=${prefix}`)).json() as Promise<{ key: string; bytes: number }[]>;
}

/** Publishes a part under a sequence. */
async function publish(served: Served, sequence: number, part: Part, time: number): Promise<void> {
  const key = eventsKey(part.partition, v7());
  const entry = {
    sequence,
    committed_at: new Date(time).toISOString(),
    operation: 'add',
    key,
    replaces: null,
    partition: part.partition,
    rows: part.rows,
    bytes: part.length,
    sha256: '0'.repeat(64),
    first_event_id: part.first,
    last_event_id: part.last,
    first_received_at: part.from,
    last_received_at: part.from,
    schema_versions: [1],
  };
  await put(served, key, part, time);
  await put(served, logKey(sequence), JSON.stringify(entry), time, key);
}

function watermark(time: number, sequence: number): object {
  const complete_through = new Date(time).toISOString();
  return {
    complete_through,
    unrecognised_messages: 0,
    late_events: 0,
    last_late_at: null,
    log_sequence: sequence,
    updated_at: complete_through,
  };
}

/** A part, and what its entry says. */
type Part = Buffer<ArrayBuffer> & { partition: string; rows: number; first: string; last: string; from: string };

/** The rows of a day as the publisher cuts them: an hour a part at most. */
function* partsOfDay(): Generator<Part> {
  let lines: string[] = [];
  const hourOf = (line: string) => partitionAt(/"received_at":"([^"]+)"/.exec(line)?.[1] ?? '');
  for (const { body } of landedDay(DAY_ROWS)) {
    for (const line of body.match(/.*\n/g) ?? []) {
      const [first] = lines;
      if (first !== undefined && (lines.length >= DAY_ROWS / PARTS || hourOf(first) !== hourOf(line))) {
        yield partOf(lines);
        lines = [];
      }
      lines.push(line);
    }
  }
  yield partOf(lines);
}

function partOf(lines: readonly string[]): Part {
  const ids = lines.map((line) => line.slice(13, 49)).sort();
  const from = /"received_at":"([^"]+)"/.exec(lines[0] ?? '')?.[1] ?? '';
  const facts = { partition: partitionAt(from), rows: lines.length, first: ids[0] ?? '', last: ids.at(-1) ?? '', from };
  return Object.assign(gzipSync(lines.join(''), { level: GZIP_LEVEL }), facts);
}

/** The data files that the table has now. */
async function download(served: Served, folder: string, name: string): Promise<{ paths: string[]; bytes: number }> {
  const paths: string[] = [];
  let bytes = 0;
  for (const key of (await (await fetch(`${served.origin}/?live`)).json()) as string[]) {
    const body = Buffer.from(await (await fetch(`${served.origin}/?key=${encodeURIComponent(key)}`)).arrayBuffer());
    const path = join(folder, 'columns', `${name}-${paths.length}.parquet`);
    await writeFile(path, body);
    paths.push(path);
    bytes += body.length;
  }
  return { paths, bytes };
}

/** Asks all three, in turns; all have to say the same. */
async function ask(ndjson: string[], small: string[], rewritten: string[]): Promise<Question[]> {
  const sources = {
    ndjson: await connect({ table: [], published: ndjson, landed: [] }),
    small: await connect({ table: small, published: [], landed: [] }),
    rewritten: await connect({ table: rewritten, published: [], landed: [] }),
  };
  const names = ['ndjson', 'small', 'rewritten'] as const;
  const answers: Question[] = [];
  for (const [question, sql] of Object.entries(QUESTIONS)) {
    const times = { ndjson: [] as number[], small: [] as number[], rewritten: [] as number[] };
    const said = new Set<string>();
    for (let round = 0; round < ROUNDS; round++) {
      for (const name of names) {
        const started = performance.now();
        const read = await sources[name].runAndReadAll(`SELECT * FROM (${sql}) ORDER BY ALL`);
        times[name].push((performance.now() - started) / 1_000);
        said.add(JSON.stringify(read.getRowsJson()));
      }
    }
    if (said.size !== 1) throw new Error(`Cannot compare: they give different answers to ${question}`);
    answers.push({
      question,
      ndjson: median(times.ndjson),
      small: median(times.small),
      rewritten: median(times.rewritten),
    });
  }
  return answers;
}

/** The views of `npm run events -- sql` over some files. */
async function connect(files: Parameters<typeof createViews>[0]): Promise<DuckDBConnection> {
  const connection = await (await DuckDBInstance.create()).connect();
  for (const statement of createViews(files, {})) await connection.run(statement);
  return connection;
}
