/** Intake on bare workerd: ours, the floor and the usual way, interleaved. */

import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { formatTable } from '../../src/cli/table.ts';
import { BATCH_PATH, ENDPOINT_PATH, MAX_BATCH_EVENTS } from '../../src/contract/endpoint.ts';
import { FULL_EVENT, SMALL_EVENT } from '../sample.ts';
import { watchHeap } from './heap.ts';
import { cpuMicroseconds, type Load, send } from './load.ts';
import { BENCH_TOKEN, type Served, serve } from './serve.ts';

const ROUNDS = 15;
/** Until V8 has compiled what is used often, a Worker costs up to half as much again. */
const WARM_UP_ROUNDS = 4;
const REQUESTS = 3_000;
const AT_ONCE = 16;
const BATCHES = 30;
const BATCHES_AT_ONCE = 8;
/** A sender may post 600 batches a minute. */
const BATCHES_PAUSE_MS = 1_000;

const FULL: Load = { path: ENDPOINT_PATH, token: BENCH_TOKEN, body: JSON.stringify(FULL_EVENT), status: 202 };

const BATCH: Load = { ...FULL, path: BATCH_PATH, body: `${FULL.body}\n`.repeat(MAX_BATCH_EVENTS) };

/** What is sent, and to whom: the floor refuses nothing. */
const LOADS: readonly { name: string; load: Load; workers: readonly (keyof typeof WORKERS)[] }[] = [
  { name: 'full event', load: FULL, workers: ['floor', 'usual', 'ours'] },
  { name: 'smallest event', load: { ...FULL, body: JSON.stringify(SMALL_EVENT) }, workers: ['floor', 'usual', 'ours'] },
  {
    name: 'refused event',
    load: { ...FULL, body: JSON.stringify({ ...FULL_EVENT, EventType: 'Other' }), status: 422 },
    workers: ['usual', 'ours'],
  },
  { name: 'wrong token', load: { ...FULL, token: 'wrong', status: 401 }, workers: ['usual', 'ours'] },
];

const WORKERS = {
  floor: 'test/bench/workers/floor.ts',
  usual: 'test/bench/workers/usual.ts',
  ours: 'src/index.ts',
};

/** Measures the CPU time of each load, and the memory of batches. */
export async function benchIntake(folder: string): Promise<void> {
  const served = new Map<string, Served>();
  try {
    for (const [at, [name, entry]] of Object.entries(WORKERS).entries()) {
      served.set(name, await serve(join(folder, name), entry, 18_700 + at));
    }
    const measured = LOADS.map(({ name, load, workers }) => {
      const rounds = new Map(workers.map((worker): [string, number[]] => [worker, []]));
      return { name, load, rounds };
    });
    for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round += 1) {
      // What is compared comes one after the other, since the machine is not equally fast all the time.
      for (const { load, rounds } of measured) {
        for (const [worker, { origin, pid }] of served) {
          const times = rounds.get(worker);
          if (times === undefined) continue;
          const before = cpuMicroseconds(pid);
          await send(origin, load, REQUESTS, AT_ONCE);
          if (round >= 0) times.push((cpuMicroseconds(pid) - before) / REQUESTS);
        }
      }
    }
    const rows = measured.map(({ name, rounds }) => {
      const of = (worker: keyof typeof WORKERS) => rounds.get(worker) ?? [];
      return {
        load: name,
        'CPU, µs': Math.round(median(of('ours'))),
        '× the floor': ratio(of('ours'), of('floor')),
        '× Hono + Zod': ratio(of('ours'), of('usual')),
      };
    });
    console.log(formatTable(rows));
  } finally {
    for (const worker of served.values()) await worker.stop();
  }
}

/**
 * Has full batches checked, eight at a time again and again, so that they take memory and nothing is stored.
 *
 * @returns Ends it.
 */
export function checkBatches(origin: string, token: string): () => Promise<void> {
  let running = true;
  const load = { ...BATCH, path: `${BATCH_PATH}?check`, token, status: 200 };
  const sending = (async () => {
    while (running) {
      await send(origin, load, BATCHES_AT_ONCE, BATCHES_AT_ONCE);
      await sleep(BATCHES_PAUSE_MS);
    }
  })();
  // A failure is thrown where the end is awaited; until then it must not count as unhandled.
  sending.catch(() => undefined);
  return () => {
    running = false;
    return sending;
  };
}

/** Measures full batches that come in eight at a time. */
export async function benchBatches(folder: string): Promise<void> {
  const inspectorPort = 18_711;
  const { origin, pid, stop } = await serve(join(folder, 'batches'), WORKERS.ours, 18_710, inspectorPort);
  try {
    await send(origin, BATCH, BATCHES, BATCHES_AT_ONCE);
    const before = cpuMicroseconds(pid);
    await send(origin, BATCH, BATCHES, BATCHES_AT_ONCE);
    const cpu = cpuMicroseconds(pid) - before;
    const heap = await watchHeap(inspectorPort);
    await send(origin, BATCH, BATCHES, BATCHES_AT_ONCE);
    const megabytes = await heap.stop();
    console.log(
      formatTable([{ 'CPU, µs an event': Math.round(cpu / BATCHES / MAX_BATCH_EVENTS), 'MB in use': megabytes }]),
    );
  } finally {
    await stop();
  }
}

/** The median of what ours takes of what another took in the same round; nothing when the other does not do it. */
function ratio(ours: readonly number[], other: readonly number[]): number | undefined {
  if (other.length === 0) return undefined;
  return Math.round(median(ours.map((time, round) => time / (other[round] ?? Number.NaN))) * 100) / 100;
}

/** The middle of an odd number of measurements. */
function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[(values.length - 1) / 2] ?? Number.NaN;
}
