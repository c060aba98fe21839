/** Publishing from a bucket that takes 100 ms a call: in one invocation, as it was, and with further ones. */

import { join } from 'node:path';
import { v7 } from 'uuid';
import { toLine } from '../../src/storage/line.ts';
import { FULL_EVENT } from '../sample.ts';
import { sampleRow } from '../sample-row.ts';
import { bundle } from './bundle.ts';
import { watchHeap } from './heap.ts';
import { cpuMicroseconds } from './load.ts';
import { serve } from './serve.ts';

/** What has landed. */
interface Load {
  readonly name: string;
  readonly hours: number;
  readonly objects: number;
  /** In each object. */
  readonly rows: number;
  /** In one invocation. It has fewer objects, since it takes so long. */
  readonly alone?: true;
}

const LOADS: readonly Load[] = [
  { name: 'single rows, in one invocation', hours: 1, objects: 1_000, rows: 1, alone: true },
  { name: 'single rows', hours: 2, objects: 20_000, rows: 1 },
  { name: 'a day, in one invocation', hours: 24, objects: 240, rows: 1, alone: true },
  { name: 'a day', hours: 24, objects: 2_400, rows: 1 },
  { name: 'full batches, in one invocation', hours: 1, objects: 600, rows: 100, alone: true },
  { name: 'full batches', hours: 1, objects: 3_000, rows: 100 },
];

/** What is measured of a load. */
export interface PublishResult {
  readonly load: string;
  readonly objects: number;
  readonly rows: number;
  readonly parts: number;
  readonly runs: number;
  readonly objectsPerSecond: number;
  /** Of the process, with what making the objects and collecting garbage takes. */
  readonly cpuMicrosecondsPerObject: number;
  /** The most that the isolate had in use, without garbage, and with what the bench keeps of its bucket. */
  readonly peakBytes: number;
}

/** Publishes each load once. */
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
  for (const [at, { name, hours, objects, rows, alone }] of LOADS.entries()) {
    const inspectorPort = 18_850 + at;
    const served = await serve(join(folder, `publish-${at}`), code, stub, 18_840 + at, inspectorPort);
    try {
      const heap = await watchHeap(inspectorPort, true);
      const query = new URLSearchParams({ hours: `${hours}`, objects: `${objects}`, rows: `${rows}` });
      if (alone) query.set('alone', '');
      const before = cpuMicroseconds(served.pid);
      const response = await fetch(`${served.origin}/?${query}`, { method: 'PUT', body: line });
      const done = (await response.json()) as {
        runs: number;
        parts: number;
        rows: number;
        sources: number;
        seconds: number;
      };
      const cpu = cpuMicroseconds(served.pid) - before;
      const peakBytes = await heap.stop();
      if (done.sources !== objects || done.rows !== objects * rows) {
        throw new Error(`Cannot measure: ${done.rows} rows of ${done.sources} objects came out of ${objects}`);
      }
      results.push({
        load: name,
        objects,
        rows: done.rows,
        parts: done.parts,
        runs: done.runs,
        objectsPerSecond: objects / done.seconds,
        cpuMicrosecondsPerObject: cpu / objects,
        peakBytes,
      });
      progress(at + 1, LOADS.length);
    } finally {
      await served.stop();
    }
  }
  return results;
}
