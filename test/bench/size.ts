/** What is deployed: its size, and the CPU time that an isolate takes to start it. */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { median } from './median.ts';
import { deploy, wrangler } from './wrangler.ts';

const ROUNDS = 5;

/** Sizes in bytes, times in milliseconds. */
export interface SizeResult {
  readonly bytes: number;
  readonly gzipBytes: number;
  /** Of the whole start, most of which is the runtime and its profiler. */
  readonly startMilliseconds: number;
  /** Of a Worker that does nothing. The difference is ours. */
  readonly emptyStartMilliseconds: number;
}

/** Builds the Worker as it is deployed, and starts it several times in workerd, in turn with one that does nothing. */
export function benchSize(folder: string, progress: (done: number, total: number) => void): SizeResult {
  const code = readFileSync(deploy(folder));
  const empty = writeEmptyWorker(folder);
  const starts: number[] = [];
  const emptyStarts: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    starts.push(startOnce(folder, '--env=production', '--args=--minify'));
    emptyStarts.push(startOnce(folder, `--config=${empty}`));
    progress(round + 1, ROUNDS);
  }
  return {
    bytes: code.byteLength,
    gzipBytes: gzipSync(code).byteLength,
    startMilliseconds: median(starts),
    emptyStartMilliseconds: median(emptyStarts),
  };
}

/** Writes a Worker that does nothing. Returns the path of its configuration. */
function writeEmptyWorker(folder: string): string {
  const home = join(folder, 'empty');
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, 'index.js'), "export default { fetch: () => new Response('') };\n");
  const config = join(home, 'wrangler.toml');
  writeFileSync(config, 'name = "empty"\nmain = "index.js"\ncompatibility_date = "2026-11-01"\n');
  return config;
}

/** Starts a Worker, and measures for how long it was active. */
function startOnce(folder: string, ...which: readonly string[]): number {
  const profile = join(folder, 'start.cpuprofile');
  wrangler('check', 'startup', ...which, `--outfile=${profile}`);
  return activeMilliseconds(readFileSync(profile, 'utf8'));
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
