/** How long the answer takes, with a queue that takes 20 ms. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ENDPOINT_PATH } from '../../src/contract/endpoint.ts';
import { FULL_EVENT } from '../sample.ts';
import { bundle } from './bundle.ts';
import { measure } from './load.ts';
import { BENCH_TOKEN, type Served, serve } from './serve.ts';
import { percentile, sendSteadily } from './steady-load.ts';
import { deploy } from './wrangler.ts';

/** Of what one isolate can do. */
const SHARES = [0.1, 0.5, 0.9];
const SECONDS = 20;
const BODY = JSON.stringify(FULL_EVENT);
/** Enough that requests which wait for the queue keep no other out. */
const CONNECTIONS = 64;
const WARM_UP_PER_SECOND = 200;

/** Answers of one Worker at one rate, in milliseconds. */
export interface LatencyResult {
  readonly worker: string;
  readonly share: number;
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly p999: number;
}

/** Measures ours and the usual way at each share of what each can do, in turn. */
export async function benchLatency(
  folder: string,
  progress: (done: number, total: number) => void,
): Promise<LatencyResult[]> {
  const stub = await bundle('test/bench/workers/slow-stub.ts');
  const workers: [name: string, code: string][] = [
    ['ours', readFileSync(deploy(folder), 'utf8')],
    ['Hono + Zod', await bundle('test/bench/workers/usual.ts')],
  ];
  const served: Served[] = [];
  const results: LatencyResult[] = [];
  try {
    for (const [at, [name, code]] of workers.entries()) {
      served.push(await serve(join(folder, `latency-${name}`), code, stub, 18_740 + at));
    }
    const capacities: number[] = [];
    for (const { origin, pid } of served) {
      await sendSteadily(loadOf(origin), WARM_UP_PER_SECOND, 2);
      const load = { ...loadOf(origin), connections: CONNECTIONS };
      capacities.push((await measure(load, pid, 4, join(folder, 'load.lua'))).requestsPerSecond);
    }
    for (const share of SHARES) {
      for (const [at, [worker]] of workers.entries()) {
        const perSecond = share * (capacities[at] ?? Number.NaN);
        const sorted = await sendSteadily(loadOf(served[at]?.origin ?? ''), perSecond, SECONDS);
        const [p50 = Number.NaN, p99 = Number.NaN, p999 = Number.NaN] = [0.5, 0.99, 0.999].map((part) =>
          percentile(sorted, part),
        );
        results.push({ worker, share, perSecond, p50, p99, p999 });
        progress(results.length, SHARES.length * workers.length);
      }
    }
  } finally {
    for (const worker of served) await worker.stop();
  }
  return results;
}

function loadOf(origin: string) {
  return { url: origin + ENDPOINT_PATH, token: BENCH_TOKEN, body: BODY, status: 202 };
}
