/** A backlog of single rows, worked off in virtual time: see test/simulation/backlog.ts. */

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** How many objects lie in `landing/`. */
const OBJECTS = 100_000;

/** What comes of a backlog. */
export interface BacklogResult {
  readonly consumers: number;
  /** What a call to R2 takes. */
  readonly callMs: number;
  readonly gathered: number;
  readonly gatherSeconds: number;
  readonly objectsPerSecond: number;
  /** Runs of the publisher, and minutes, until all is published. */
  readonly runs: number;
  readonly minutes: number;
}

/** Works off the same backlog with more and more consumers. */
export async function benchBacklog(progress: (done: number, total: number) => void): Promise<BacklogResult[]> {
  const cases = [100, 200].flatMap((callMs) => [1, 10, 50].map((consumers) => ({ consumers, callMs })));
  const results: BacklogResult[] = [];
  for (const [at, { consumers, callMs }] of cases.entries()) {
    const script = ['--js-base-64', 'test/simulation/backlog.ts', OBJECTS, consumers, callMs].map(String);
    const { stdout } = await run(process.execPath, script);
    results.push(JSON.parse(stdout) as BacklogResult);
    progress(at + 1, cases.length);
  }
  return results;
}
