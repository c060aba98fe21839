/** Building one published part: the CPU time of the Worker, without R2, beside that of gzip alone. */

import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { GZIP_LEVEL } from '../../src/publish/gzip.ts';
import { bundle } from './bundle.ts';
import { landedDay } from './day.ts';
import { cpuMicroseconds } from './load.ts';
import { median } from './median.ts';
import { serve } from './serve.ts';

const ROUNDS = 5;
const HOURS = 24;
/** Rows of the hour. The larger makes nearly a whole part. */
const SIZES = [10_000, 140_000];

/** The medians for one size of part. */
export interface PartResult {
  readonly rows: number;
  readonly bytes: number;
  readonly rowsPerSecond: number;
  readonly bytesPerSecond: number;
  /** What gzip alone takes of the same rows. */
  readonly gzipBytesPerSecond: number;
}

/** Builds parts of each size several times. */
export async function benchPart(
  folder: string,
  progress: (done: number, total: number) => void,
): Promise<PartResult[]> {
  const [code, stub] = await Promise.all([bundle('test/bench/workers/part.ts'), bundle('test/bench/workers/stub.ts')]);
  const results: PartResult[] = [];
  for (const [at, size] of SIZES.entries()) {
    const served = await serve(join(folder, `part-${size}`), code, stub, 18_780 + at);
    try {
      const hour = await land(served.origin, size);
      const seconds: number[] = [];
      const gzipSeconds: number[] = [];
      // The first round only warms up.
      for (let round = 0; round <= ROUNDS; round += 1) {
        const before = cpuMicroseconds(served.pid);
        const { rows } = (await (await fetch(served.origin)).json()) as { rows: number };
        if (rows !== size) throw new Error(`Cannot measure: ${rows} rows came out of ${size}`);
        const taken = (cpuMicroseconds(served.pid) - before) / 1e6;
        const gzipTaken = cpuOf(() => gzipSync(hour, { level: GZIP_LEVEL }));
        if (round === 0) continue;
        seconds.push(taken);
        gzipSeconds.push(gzipTaken);
        progress(at * ROUNDS + round, SIZES.length * ROUNDS);
      }
      results.push({
        rows: size,
        bytes: hour.byteLength,
        rowsPerSecond: size / median(seconds),
        bytesPerSecond: hour.byteLength / median(seconds),
        gzipBytesPerSecond: hour.byteLength / median(gzipSeconds),
      });
    } finally {
      await served.stop();
    }
  }
  return results;
}

/** Hands the objects of one hour over and returns all their bytes. */
async function land(origin: string, rows: number): Promise<Buffer> {
  const bodies: Buffer[] = [];
  let landed = 0;
  for (const object of landedDay(rows * HOURS)) {
    if (landed === rows) break;
    const body = Buffer.from(object.body);
    await fetch(`${origin}/?key=${encodeURIComponent(object.key)}`, { method: 'POST', body });
    bodies.push(body);
    landed += object.rows;
  }
  return Buffer.concat(bodies);
}

/** The CPU time of a call in this process, in seconds. */
function cpuOf(call: () => void): number {
  const before = process.cpuUsage();
  call();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}
