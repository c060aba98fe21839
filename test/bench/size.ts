/** What is deployed: its size, and the CPU time that an isolate takes to start it. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { median } from './median.ts';
import { deploy, wrangler } from './wrangler.ts';

const ROUNDS = 5;

/** Sizes in bytes, time in milliseconds. */
export interface SizeResult {
  readonly bytes: number;
  readonly gzipBytes: number;
  readonly startMilliseconds: number;
}

/** Builds the Worker as it is deployed, and starts it several times in workerd. */
export function benchSize(folder: string, progress: (done: number, total: number) => void): SizeResult {
  const code = readFileSync(deploy(folder));
  const starts: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const profile = join(folder, 'start.cpuprofile');
    wrangler('check', 'startup', '--env=production', '--args=--minify', `--outfile=${profile}`);
    starts.push(activeMilliseconds(readFileSync(profile, 'utf8')));
    progress(round + 1, ROUNDS);
  }
  return { bytes: code.byteLength, gzipBytes: gzipSync(code).byteLength, startMilliseconds: median(starts) };
}

interface CpuProfile {
  readonly nodes: readonly { readonly id: number; readonly callFrame: { readonly functionName: string } }[];
  readonly samples: readonly number[];
  /** Microseconds. */
  readonly timeDeltas: readonly number[];
}

/** The time of a profile in which something ran. */
function activeMilliseconds(json: string): number {
  const { nodes, samples, timeDeltas } = JSON.parse(json) as CpuProfile;
  const idle = new Set(nodes.filter(({ callFrame }) => callFrame.functionName === '(idle)').map(({ id }) => id));
  return samples.reduce((sum, id, at) => sum + (idle.has(id) ? 0 : (timeDeltas[at] ?? 0)), 0) / 1_000;
}
