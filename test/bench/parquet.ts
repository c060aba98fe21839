/** Columnar objects: what one costs the Worker to write, and what a day of them saves a reader who asks a question. */

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { createViews } from '../../src/cli/events/views.ts';
import { GZIP_LEVEL } from '../../src/publish/gzip.ts';
import { PARQUET_LIMITS } from '../../src/publish/parquet/limits.ts';
import { bundle } from './bundle.ts';
import { landedDay } from './day.ts';
import { watchHeap } from './heap.ts';
import { cpuMicroseconds } from './load.ts';
import { median } from './median.ts';
import { serve } from './serve.ts';

const ROUNDS = 3;
const PORT = 18_790;
const INSPECTOR_PORT = 18_791;
/** A day of so many rows, in objects as large as a run makes them. */
const DAY_ROWS = 1_000_000;

/** What is asked of a day. */
const QUESTIONS = {
  'GROUP BY': 'SELECT property_id, event_type, count(*) FROM events GROUP BY ALL',
  'latest state': 'SELECT reservation_state, count(*) FROM latest_reservations GROUP BY ALL',
} as const;

/** The medians. */
export interface ParquetResult {
  /** Of one object, of the size that a run makes. */
  readonly rows: number;
  readonly bytes: number;
  readonly gzipBytes: number;
  readonly rowsPerSecond: number;
  readonly cpuSeconds: number;
  /** The most memory that was in use: heap and buffers, without garbage and the part that was handed to it. */
  readonly peakBytes: number;
  readonly questions: readonly Question[];
}

/** One question to the day, in seconds. */
interface Question {
  readonly question: string;
  readonly ndjson: number;
  readonly parquet: number;
}

/** Writes objects and asks questions of a day of them. */
export async function benchParquet(
  folder: string,
  progress: (done: number, total: number) => void,
): Promise<ParquetResult> {
  const [code, stub] = await Promise.all([
    bundle('test/bench/workers/parquet.ts'),
    bundle('test/bench/workers/stub.ts'),
  ]);
  const served = await serve(join(folder, 'parquet'), code, stub, PORT, { inspectorPort: INSPECTOR_PORT });
  const ndjson: string[] = [];
  const parquet: string[] = [];
  const seconds: number[] = [];
  let [peakBytes, gzipBytes, bytes] = [0, 0, 0];
  try {
    await mkdir(join(folder, 'columns'), { recursive: true });
    for (const part of partsOfDay()) {
      const name = join(folder, 'columns', String(ndjson.length));
      const body = gzipSync(part, { level: GZIP_LEVEL });
      await writeFile(`${name}.ndjson.gz`, body);
      await fetch(`${served.origin}/?key=part`, { method: 'POST', body });
      const before = cpuMicroseconds(served.pid);
      const response = await fetch(served.origin);
      const object = Buffer.from(await response.arrayBuffer());
      const taken = (cpuMicroseconds(served.pid) - before) / 1e6;
      await writeFile(`${name}.parquet`, object);
      if (Number(response.headers.get('x-rows')) === PARQUET_LIMITS.objectRows) {
        seconds.push(taken);
        [gzipBytes, bytes] = [body.byteLength, object.byteLength];
        // Once more, since collecting garbage takes time too.
        if (peakBytes === 0) {
          const heap = await watchHeap(INSPECTOR_PORT, true);
          await (await fetch(served.origin)).arrayBuffer();
          peakBytes = (await heap.stop()) - body.byteLength;
        }
      }
      ndjson.push(`${name}.ndjson.gz`);
      parquet.push(`${name}.parquet`);
      progress(ndjson.length, Math.ceil(DAY_ROWS / PARQUET_LIMITS.objectRows));
    }
  } finally {
    await served.stop();
  }
  const rows = PARQUET_LIMITS.objectRows;
  const cpuSeconds = median(seconds);
  const questions = await ask(ndjson, parquet);
  return { rows, bytes, gzipBytes, cpuSeconds, rowsPerSecond: rows / cpuSeconds, peakBytes, questions };
}

/** The rows of a day in parts of the size of one object. */
function* partsOfDay(): Generator<Buffer> {
  let lines: string[] = [];
  let left = DAY_ROWS;
  for (const { body } of landedDay(DAY_ROWS)) {
    for (const line of body.match(/.*\n/g) ?? []) {
      if (left === 0) break;
      lines.push(line);
      left -= 1;
      if (lines.length < PARQUET_LIMITS.objectRows && left > 0) continue;
      yield Buffer.from(lines.join(''));
      lines = [];
    }
  }
}

/** Asks both, in turns; both have to say the same. */
async function ask(ndjson: readonly string[], parquet: readonly string[]): Promise<Question[]> {
  const [lines, columns] = [await connect(ndjson), await connect(parquet)];
  const answers: Question[] = [];
  for (const [question, sql] of Object.entries(QUESTIONS)) {
    const times = { ndjson: [] as number[], parquet: [] as number[] };
    const said = new Set<string>();
    const sources = { ndjson: lines, parquet: columns } as const;
    for (let round = 0; round < ROUNDS; round++) {
      for (const source of ['ndjson', 'parquet'] as const) {
        const started = performance.now();
        const read = await sources[source].runAndReadAll(`SELECT * FROM (${sql}) ORDER BY ALL`);
        times[source].push((performance.now() - started) / 1_000);
        said.add(JSON.stringify(read.getRowsJson()));
      }
    }
    if (said.size !== 1) throw new Error(`Cannot compare: NDJSON and Parquet give different answers to ${question}`);
    answers.push({ question, ndjson: median(times.ndjson), parquet: median(times.parquet) });
  }
  return answers;
}

/** The views of `npm run events -- sql` over some files. */
async function connect(files: readonly string[]): Promise<DuckDBConnection> {
  const connection = await (await DuckDBInstance.create()).connect();
  const of = (ending: string) => files.filter((file) => file.endsWith(ending));
  const sorted = { table: of('.parquet'), published: of('.gz'), landed: [] };
  for (const statement of createViews(sorted, {})) await connection.run(statement);
  return connection;
}
