/**
 * Instructions that the process of a Worker executes for a request, as callgrind counts them: without those of the kernel,
 * and the same whatever else the machine does.
 */

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundle } from './bundle.ts';
import { LOADS, type LoadName, workersIn } from './intake.ts';
import { serve } from './serve.ts';
import { sendInTurn } from './steady-load.ts';

/** Until V8 has compiled what is used often. */
const WARM_UP = 6_000;
/** Enough for several full collections of garbage, of which one costs as much as some hundred requests. */
const COUNTED = 5_000;
const CONNECTIONS = 4;

/** Compiling and collecting garbage happen where they are counted, and at the same place each time. */
const V8_FLAGS = ['--single-threaded', '--predictable-gc-schedule'];

/** What one worker executes for each request of one load, the stub that answers for the queue included. */
export interface InstructionsResult {
  readonly worker: string;
  readonly load: LoadName;
  readonly instructions: number;
  /** Against the floor and the usual way; the floor refuses nothing, so what others refuse is set against its full event. */
  readonly ofFloor: number;
  readonly ofUsual: number;
}

/** Counts for all workers and all loads but the batch, which neither of the others takes. */
export async function benchInstructions(
  folder: string,
  progress: (done: number, total: number) => void,
): Promise<InstructionsResult[]> {
  const stub = await bundle('test/bench/workers/stub.ts');
  const workers = (await workersIn(folder)).map(
    ([name, code, loads]) => [name, code, loads.filter((load) => LOADS[load].events === 1)] as const,
  );
  const total = workers.reduce((sum, [, , loads]) => sum + loads.length, 0);
  const counts = new Map<string, { worker: string; load: LoadName; instructions: number }>();
  for (const [at, [worker, code, loads]] of workers.entries()) {
    const out = join(folder, `callgrind-${at}`);
    const under = ['valgrind', '--tool=callgrind', '--instr-atstart=no', `--callgrind-out-file=${out}`];
    const served = await serve(join(folder, `instructions-${at}`), code, stub, 18_770 + at, {
      under,
      v8Flags: V8_FLAGS,
    });
    try {
      for (const [dumps, load] of loads.entries()) {
        const { path, token, body, status } = LOADS[load];
        const request = { url: served.origin + path, token, body, status };
        await sendInTurn(request, WARM_UP, CONNECTIONS);
        control(served.pid, '--instr=on');
        control(served.pid, '--zero');
        await sendInTurn(request, COUNTED, CONNECTIONS);
        control(served.pid, '--dump');
        control(served.pid, '--instr=off');
        const instructions = countIn(`${out}.${dumps + 1}`) / COUNTED;
        counts.set(`${worker} ${load}`, { worker, load, instructions });
        progress(counts.size, total);
      }
    } finally {
      await served.stop();
    }
  }
  const against = (instructions: number, other: string, load: LoadName) =>
    instructions / ((counts.get(`${other} ${load}`) ?? counts.get(`${other} full event`))?.instructions ?? Number.NaN);
  return Array.from(counts.values(), (count) => ({
    ...count,
    ofFloor: against(count.instructions, 'floor', count.load),
    ofUsual: against(count.instructions, 'Hono + Zod', count.load),
  }));
}

function control(pid: number, option: string): void {
  execFileSync('callgrind_control', [option, String(pid)], { stdio: ['ignore', 'ignore', 'pipe'] });
}

function countIn(dump: string): number {
  const [, count] = /^(?:summary|totals): (\d+)/m.exec(readFileSync(dump, 'utf8')) ?? [];
  if (count === undefined) throw new Error(`Cannot read what callgrind has counted: no total in ${dump}`);
  return Number(count);
}
