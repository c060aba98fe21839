/** Intake on bare workerd: ours, the floor and the usual way, interleaved. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BATCH_PATH, ENDPOINT_PATH, MAX_BATCH_EVENTS } from '../../src/contract/endpoint.ts';
import { FULL_EVENT, SMALL_EVENT } from '../sample.ts';
import { bundle } from './bundle.ts';
import { measure } from './load.ts';
import { median } from './median.ts';
import { BENCH_TOKEN, type Served, serve } from './serve.ts';
import { deploy } from './wrangler.ts';

const ROUNDS = 15;
const WARM_UP_ROUNDS = 4;
const SECONDS = 1;

/** A request of one load, and how many events it has. */
interface IntakeLoad {
  readonly token: string;
  readonly body: string;
  readonly status: number;
  readonly path: string;
  readonly events: number;
  readonly connections?: number;
  readonly seconds?: number;
}

const ONE = { token: BENCH_TOKEN, path: ENDPOINT_PATH, events: 1, status: 202 };

/** What is sent. */
export const LOADS = {
  'full event': { ...ONE, body: JSON.stringify(FULL_EVENT) },
  'smallest event': { ...ONE, body: JSON.stringify(SMALL_EVENT) },
  'refused event': { ...ONE, body: JSON.stringify({ ...FULL_EVENT, EventType: 'Other' }), status: 422 },
  'wrong token': { ...ONE, token: 'wrong', body: JSON.stringify(FULL_EVENT), status: 401 },
  'batch of 1,000 full events': {
    ...ONE,
    path: BATCH_PATH,
    body: `${JSON.stringify(FULL_EVENT)}\n`.repeat(MAX_BATCH_EVENTS),
    events: MAX_BATCH_EVENTS,
    // One is received while another is handled. Those under way at the end must not count for much.
    connections: 2,
    seconds: 4,
  },
} satisfies Readonly<Record<string, IntakeLoad>>;

/** The loads by their names. */
export type LoadName = keyof typeof LOADS;

/** The medians of one worker under one load. */
export interface IntakeResult {
  readonly worker: string;
  readonly load: LoadName;
  readonly eventsPerSecond: number;
  /** CPU time for each event, in microseconds. */
  readonly cpuMicroseconds: number;
  /**
   * CPU time against the floor and against the usual way, with the same load in the same round. The floor refuses nothing:
   * what others refuse is set against its full event. Neither takes batches: an event of one is set against their full event.
   */
  readonly ofFloor: number;
  readonly ofUsual: number;
}

/** The workers by name, with their code and what each is sent: the floor refuses nothing, so it only takes events. */
export async function workersIn(folder: string): Promise<[name: string, code: string, loads: readonly LoadName[]][]> {
  return [
    ['floor', await bundle('test/bench/workers/floor.ts'), ['full event', 'smallest event']],
    ['ours', readFileSync(deploy(folder), 'utf8'), Object.keys(LOADS) as LoadName[]],
    [
      'Hono + Zod',
      await bundle('test/bench/workers/usual.ts'),
      ['full event', 'smallest event', 'refused event', 'wrong token'],
    ],
    ['least refusal', await bundle('test/bench/workers/least-refusal.ts'), ['refused event', 'wrong token']],
    ['Hono + Zod, keeping', await bundle('test/bench/workers/usual-keeping.ts'), ['refused event']],
  ];
}

/** Measures all workers under all loads. */
export async function benchIntake(
  folder: string,
  progress: (done: number, total: number) => void,
): Promise<IntakeResult[]> {
  const stub = await bundle('test/bench/workers/stub.ts');
  const workers = await workersIn(folder);
  const served: Served[] = [];
  const rounds = new Map<string, { worker: string; load: LoadName; cpu: number[]; rate: number[] }>();
  const total = ROUNDS * workers.reduce((sum, [, , loads]) => sum + loads.length, 0);
  let done = 0;
  try {
    for (const [at, [name, code]] of workers.entries()) {
      served.push(await serve(join(folder, name), code, stub, 18_700 + at));
    }
    // The first rounds only warm up: until V8 has compiled what is used often, a Worker costs up to half as much again.
    for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round += 1) {
      // What is compared comes one after the other, since the machine is not equally fast all the time.
      for (const load of Object.keys(LOADS) as LoadName[]) {
        for (const [at, [worker, , loads]] of workers.entries()) {
          if (!loads.includes(load)) continue;
          const { origin, pid } = served[at] as Served;
          const { path, events, seconds = SECONDS, ...request }: IntakeLoad = LOADS[load];
          const result = await measure({ ...request, url: origin + path }, pid, seconds, join(folder, 'load.lua'));
          if (round < 0) continue;
          const kept = rounds.get(`${worker} ${load}`) ?? { worker, load, cpu: [], rate: [] };
          rounds.set(`${worker} ${load}`, kept);
          kept.cpu.push(result.cpuMicroseconds / events);
          kept.rate.push(result.requestsPerSecond * events);
          progress(++done, total);
        }
      }
    }
  } finally {
    for (const worker of served) await worker.stop();
  }
  const against = (cpu: readonly number[], other: string) => {
    const reference = rounds.get(other)?.cpu;
    return median(cpu.map((time, round) => time / (reference?.[round] ?? Number.NaN)));
  };
  return Array.from(rounds.values(), ({ worker, load, cpu, rate }) => ({
    worker,
    load,
    eventsPerSecond: median(rate),
    cpuMicroseconds: median(cpu),
    ofFloor: against(cpu, rounds.has(`floor ${load}`) ? `floor ${load}` : 'floor full event'),
    ofUsual: against(cpu, rounds.has(`Hono + Zod ${load}`) ? `Hono + Zod ${load}` : 'Hono + Zod full event'),
  }));
}
