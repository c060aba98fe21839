/** Intake on bare workerd: ours, the floor and the usual way, interleaved. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ENDPOINT_PATH } from '../../src/contract/endpoint.ts';
import { FULL_EVENT, SMALL_EVENT } from '../sample.ts';
import { bundle } from './bundle.ts';
import { measure } from './load.ts';
import { median } from './median.ts';
import { BENCH_TOKEN, type Served, serve } from './serve.ts';
import { deploy } from './wrangler.ts';

const ROUNDS = 9;
const SECONDS = 1;

const LOADS = {
  'full event': { token: BENCH_TOKEN, body: JSON.stringify(FULL_EVENT), status: 202 },
  'smallest event': { token: BENCH_TOKEN, body: JSON.stringify(SMALL_EVENT), status: 202 },
  'refused event': { token: BENCH_TOKEN, body: JSON.stringify({ ...FULL_EVENT, EventType: 'Other' }), status: 422 },
  'wrong token': { token: 'wrong', body: JSON.stringify(FULL_EVENT), status: 401 },
};
type LoadName = keyof typeof LOADS;

/** The medians of one worker under one load. */
export interface IntakeResult {
  readonly worker: string;
  readonly load: LoadName;
  readonly requestsPerSecond: number;
  readonly cpuMicroseconds: number;
  /**
   * CPU time against the floor and against the usual way, with the same load in the same round. The floor refuses nothing:
   * what others refuse is set against its full event.
   */
  readonly ofFloor: number;
  readonly ofUsual: number;
}

/** Measures all workers under all loads. The floor refuses nothing, so it only takes events. */
export async function benchIntake(
  folder: string,
  progress: (done: number, total: number) => void,
): Promise<IntakeResult[]> {
  const stub = await bundle('test/bench/workers/stub.ts');
  const workers: [name: string, code: string, loads: readonly LoadName[]][] = [
    ['floor', await bundle('test/bench/workers/floor.ts'), ['full event', 'smallest event']],
    ['ours', readFileSync(deploy(folder), 'utf8'), ['full event', 'smallest event', 'refused event', 'wrong token']],
    [
      'Hono + Zod',
      await bundle('test/bench/workers/usual.ts'),
      ['full event', 'smallest event', 'refused event', 'wrong token'],
    ],
  ];
  const served: Served[] = [];
  const rounds = new Map<string, { worker: string; load: LoadName; cpu: number[]; rate: number[] }>();
  const total = ROUNDS * workers.reduce((sum, [, , loads]) => sum + loads.length, 0);
  let done = 0;
  try {
    for (const [at, [name, code]] of workers.entries()) {
      served.push(await serve(join(folder, name), code, stub, 18_700 + at));
    }
    // The first round only warms up.
    for (let round = 0; round <= ROUNDS; round += 1) {
      for (const [at, [worker, , loads]] of workers.entries()) {
        for (const load of loads) {
          const { origin, pid } = served[at] as Served;
          const result = await measure(
            { ...LOADS[load], url: origin + ENDPOINT_PATH },
            pid,
            SECONDS,
            join(folder, 'load.lua'),
          );
          if (round === 0) continue;
          const kept = rounds.get(`${worker} ${load}`) ?? { worker, load, cpu: [], rate: [] };
          rounds.set(`${worker} ${load}`, kept);
          kept.cpu.push(result.cpuMicroseconds);
          kept.rate.push(result.requestsPerSecond);
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
    requestsPerSecond: median(rate),
    cpuMicroseconds: median(cpu),
    ofFloor: against(cpu, rounds.has(`floor ${load}`) ? `floor ${load}` : 'floor full event'),
    ofUsual: against(cpu, `Hono + Zod ${load}`),
  }));
}
