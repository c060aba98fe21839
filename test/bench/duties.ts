/** What each duty of intake costs: the same Worker without it, beside the whole one and the floor, interleaved. */

import { join } from 'node:path';
import { ENDPOINT_PATH } from '../../src/contract/endpoint.ts';
import { FULL_EVENT } from '../sample.ts';
import { bundle, type Replaced } from './bundle.ts';
import { measure } from './load.ts';
import { median } from './median.ts';
import { BENCH_TOKEN, type Served, serve } from './serve.ts';

const ROUNDS = 15;
const SECONDS = 1;
const LOAD = { token: BENCH_TOKEN, body: JSON.stringify(FULL_EVENT), status: 202 };

/** What stands in for the module of a duty, and does the least that lets an event pass. */
const DUTIES: Readonly<Record<string, Replaced>> = {
  'routing by path': {
    'src/index.ts': `
      import { endpoint } from './intake/route.ts';
      export default { fetch: endpoint };`,
  },
  'recognising the token': {
    'src/senders/token-index.ts': `
      export const buildTokenIndex = ([{ sender }]) => ({ size: 1, recognise: () => sender });`,
  },
  'counting the body while it is read': {
    'src/intake/read-body.ts': `
      export const readBody = async (request) =>
        ({ encoding: '', ending: 'whole', bytes: new Uint8Array(await request.arrayBuffer()) });`,
  },
  'validating and normalising': {
    'src/contract/normalise.ts': `
      import { FIELDS } from './fields.ts';
      export const normalise = (payload) => ({ ok: true, value: {
        reservation: Object.fromEntries(FIELDS.map(({ column, wire }) => [column, payload[wire] ?? null])),
        warnings: [],
        extra: null,
      } });`,
  },
  'fingerprint of the content': {
    'src/contract/fingerprint.ts': `
      export const FINGERPRINT_BYTES = 16;
      export const contentText = () => '';
      export const fingerprint = () => '0'.repeat(32);
      export const fingerprintOfBytes = fingerprint;`,
  },
  'going another way when the queue is slow': {
    'src/http/with-timeout.ts': 'export const withTimeout = (promise) => promise;',
  },
};

/** The medians of one Worker. */
export interface DutyResult {
  readonly without: string;
  readonly cpuMicroseconds: number;
  /** Against the whole Worker, and against the floor, in the same round. */
  readonly ofWhole: number;
  readonly ofFloor: number;
}

/** Measures the Worker whole, without each duty, without all of them, and the floor. */
export async function benchDuties(
  folder: string,
  progress: (done: number, total: number) => void,
): Promise<DutyResult[]> {
  const stub = await bundle('test/bench/workers/stub.ts');
  const workers: Readonly<Record<string, Replaced>> = {
    nothing: {},
    ...DUTIES,
    'all of these': Object.assign({}, ...Object.values(DUTIES)),
  };
  const names = [...Object.keys(workers), 'all that the floor leaves out'];
  const served: Served[] = [];
  const rounds: number[][] = [];
  try {
    for (const [at, replaced] of Object.values(workers).entries()) {
      served.push(await serve(join(folder, `duty-${at}`), await bundle('src/index.ts', replaced), stub, 18_720 + at));
    }
    served.push(await serve(join(folder, 'duty-floor'), await bundle('test/bench/workers/floor.ts'), stub, 18_719));
    // The first round only warms up.
    for (let round = 0; round <= ROUNDS; round += 1) {
      const times: number[] = [];
      for (const { origin, pid } of served) {
        const { cpuMicroseconds } = await measure(
          { ...LOAD, url: origin + ENDPOINT_PATH },
          pid,
          SECONDS,
          join(folder, 'load.lua'),
        );
        times.push(cpuMicroseconds);
        progress(round * served.length + times.length, (ROUNDS + 1) * served.length);
      }
      if (round > 0) rounds.push(times);
    }
  } finally {
    for (const worker of served) await worker.stop();
  }
  return names.map((without, at) => ({
    without,
    cpuMicroseconds: median(rounds.map((times) => times[at] ?? Number.NaN)),
    ofWhole: median(rounds.map((times) => (times[at] ?? Number.NaN) / (times[0] ?? Number.NaN))),
    ofFloor: median(rounds.map((times) => (times[at] ?? Number.NaN) / (times.at(-1) ?? Number.NaN))),
  }));
}
