import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ENDPOINT_PATH } from '../../src/contract/endpoint.ts';
import { FULL_EVENT, SMALL_EVENT } from '../sample.ts';
import { bundle } from './bundle.ts';
import { measure } from './load.ts';
import { median } from './median.ts';
import { BENCH_TOKEN, type Served, serve } from './serve.ts';

const folder = '/tmp/contract-bench';
mkdirSync(folder, { recursive: true });
const ROUNDS = Number(process.argv[2] ?? 5);
const stub = await bundle('test/bench/workers/stub.ts');
const workers: [string, string][] = [
  ['floor', await bundle('test/bench/workers/floor.ts')],
  ['before', readFileSync('/tmp/contract-bench/before.js', 'utf8')],
  ['ours', await bundle('src/index.ts')],
  ['usual', await bundle('test/bench/workers/usual.ts')],
];
const body = JSON.stringify(
  process.argv[3] === 'small'
    ? SMALL_EVENT
    : process.argv[3] === 'refused'
      ? { ...FULL_EVENT, EventType: 'O' }
      : FULL_EVENT,
);
const status = process.argv[3] === 'refused' ? 422 : process.argv[3] === 'wrong' ? 401 : 202;
const token = process.argv[3] === 'wrong' ? 'wrong' : BENCH_TOKEN;
const served: Served[] = [];
const cpu = new Map<string, number[]>();
try {
  for (const [at, [name, code]] of workers.entries())
    served.push(await serve(join(folder, name), code, stub, 19_400 + at));
  for (let round = 0; round <= ROUNDS; round += 1)
    for (const [at, [name]] of workers.entries()) {
      if (name === 'floor' && status !== 202) continue;
      const s = served[at] as Served;
      const r = await measure(
        { token, body, status, url: s.origin + ENDPOINT_PATH },
        s.pid,
        1,
        join(folder, 'load.lua'),
      );
      if (round > 0) cpu.set(name, [...(cpu.get(name) ?? []), r.cpuMicroseconds]);
    }
} finally {
  for (const s of served) await s.stop();
}
for (const [name, list] of cpu)
  console.log(
    name,
    median(list).toFixed(1),
    'of floor',
    median(list.map((t, i) => t / (cpu.get('floor')?.[i] ?? NaN))).toFixed(3),
    'of usual',
    median(list.map((t, i) => t / (cpu.get('usual')?.[i] ?? NaN))).toFixed(3),
    'of before',
    median(list.map((t, i) => t / (cpu.get('before')?.[i] ?? NaN))).toFixed(3),
  );
