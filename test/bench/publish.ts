/** Publishing from a bucket that takes 100 ms a call: what one invocation does, with its six connections. */

import { join } from 'node:path';
import { v7 } from 'uuid';
import { toLine } from '../../src/storage/line.ts';
import { FULL_EVENT } from '../sample.ts';
import { sampleRow } from '../sample-row.ts';
import { bundle } from './bundle.ts';
import { watchHeap } from './heap.ts';
import { cpuMicroseconds } from './load.ts';
import { sendBatches } from './send-batches.ts';
import { serve } from './serve.ts';

/** What has landed. */
interface Load {
  readonly name: string;
  readonly hours: number;
  readonly objects: number;
  /** In each object. */
  readonly rows: number;
  /** Whether batches come into the same isolate meanwhile. */
  readonly besideBatches?: boolean;
}

const LOADS: readonly Load[] = [
  { name: 'single rows', hours: 1, objects: 2_000, rows: 1 },
  { name: 'a day', hours: 24, objects: 2_400, rows: 1 },
  { name: 'full batches', hours: 1, objects: 2_000, rows: 100 },
  { name: 'the same beside eight batches that come in', hours: 1, objects: 2_000, rows: 100, besideBatches: true },
];

/** What is measured of a load. */
export interface PublishResult {
  readonly load: string;
  readonly objects: number;
  readonly rows: number;
  readonly parts: number;
  readonly runs: number;
  readonly objectsPerSecond: number;
  /** Of the process, with what making the objects takes. */
  readonly cpuMicrosecondsPerObject: number;
  /** The most that the isolate had in use, without garbage, and with what the bench keeps of its bucket. */
  readonly peakBytes: number;
}

/** What the Worker answers. */
interface Done {
  readonly runs: number;
  readonly parts: number;
  readonly rows: number;
  readonly sources: number;
  readonly seconds: number;
}

/** Publishes each load twice: for the time, and for the memory. */
export async function benchPublish(
  folder: string,
  progress: (done: number, total: number) => void,
): Promise<PublishResult[]> {
  const [code, stub] = await Promise.all([
    bundle('test/bench/workers/publish.ts'),
    bundle('test/bench/workers/stub.ts'),
  ]);
  const time = Date.parse('2026-07-10T00:00:00Z');
  const line = toLine(sampleRow(FULL_EVENT, v7({ msecs: time })));
  const results: PublishResult[] = [];
  for (const [at, load] of LOADS.entries()) {
    /** In a process of its own, so that no garbage of another run counts. */
    const run = async (round: number, collect: boolean) => {
      const inspectorPort = 18_850 + 2 * at + round;
      const served = await serve(join(folder, `publish-${at}-${round}`), code, stub, 18_830 + 2 * at + round, {
        inspectorPort,
      });
      try {
        const heap = collect ? await watchHeap(inspectorPort, true) : undefined;
        const before = cpuMicroseconds(served.pid);
        const end = load.besideBatches ? sendBatches(served.origin) : undefined;
        const done = await publishOnce(served.origin, load, line);
        await end?.();
        return { done, cpu: cpuMicroseconds(served.pid) - before, peakBytes: (await heap?.stop()) ?? 0 };
      } finally {
        await served.stop();
      }
    };
    // Twice, since collecting garbage takes time.
    const { done, cpu } = await run(0, false);
    const { peakBytes } = await run(1, true);
    results.push({
      load: load.name,
      objects: load.objects,
      rows: done.rows,
      parts: done.parts,
      runs: done.runs,
      objectsPerSecond: load.objects / done.seconds,
      cpuMicrosecondsPerObject: cpu / load.objects,
      peakBytes,
    });
    progress(at + 1, LOADS.length);
  }
  return results;
}

async function publishOnce(origin: string, { hours, objects, rows }: Load, line: string): Promise<Done> {
  const query = new URLSearchParams({ hours: `${hours}`, objects: `${objects}`, rows: `${rows}` });
  const response = await fetch(`${origin}/?${query}`, { method: 'PUT', body: line });
  const done = (await response.json()) as Done;
  if (done.sources === objects && done.rows === objects * rows) return done;
  throw new Error(`Cannot measure: ${done.rows} rows of ${done.sources} objects came out of ${objects}`);
}
