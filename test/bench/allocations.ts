/** What a request allocates on V8's heap: ours and the usual way. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ENDPOINT_PATH } from '../../src/contract/endpoint.ts';
import { FULL_EVENT, SMALL_EVENT } from '../sample.ts';
import { bundle } from './bundle.ts';
import { countAllocations } from './heap.ts';
import { BENCH_TOKEN, serve } from './serve.ts';
import { sendSteadily } from './steady-load.ts';
import { deploy } from './wrangler.ts';

const EVENTS = { 'full event': FULL_EVENT, 'smallest event': SMALL_EVENT };
const PER_SECOND = 200;
const SECONDS = 5;

/** Bytes for each request of one load, with those of the stub that answers for the queue. */
export interface AllocationResult {
  readonly worker: string;
  readonly load: string;
  readonly bytes: number;
}

/** Measures each worker with each event. */
export async function benchAllocations(
  folder: string,
  progress: (done: number, total: number) => void,
): Promise<AllocationResult[]> {
  const stub = await bundle('test/bench/workers/stub.ts');
  const workers: [name: string, code: string][] = [
    ['floor', await bundle('test/bench/workers/floor.ts')],
    ['ours', readFileSync(deploy(folder), 'utf8')],
    ['Hono + Zod', await bundle('test/bench/workers/usual.ts')],
  ];
  const results: AllocationResult[] = [];
  for (const [at, [worker, code]] of workers.entries()) {
    const inspectorPort = 18_760 + at;
    const served = await serve(join(folder, `allocations-${worker}`), code, stub, 18_750 + at, { inspectorPort });
    try {
      for (const [load, event] of Object.entries(EVENTS)) {
        const url = served.origin + ENDPOINT_PATH;
        const request = { url, token: BENCH_TOKEN, body: JSON.stringify(event), status: 202 };
        // What is compiled allocates as well.
        await sendSteadily(request, PER_SECOND, 1);
        const bytes = await countAllocations(inspectorPort, async () => {
          await sendSteadily(request, PER_SECOND, SECONDS);
        });
        results.push({ worker, load, bytes: bytes / (PER_SECOND * SECONDS) });
        progress(results.length, workers.length * Object.keys(EVENTS).length);
      }
    } finally {
      await served.stop();
    }
  }
  return results;
}
