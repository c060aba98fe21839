/** Load on a served Worker, and what it costs the process. */

import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/** One request, sent over and over. */
export interface Load {
  readonly url: string;
  readonly token: string;
  readonly body: string;
  /** The status that every answer must have. */
  readonly status: number;
  /** Requests at a time. What is under way at the end costs time and does not count, so large requests are few at a time. */
  readonly connections?: number;
}

/** What one round has shown. */
export interface Round {
  readonly requestsPerSecond: number;
  /** CPU time of the process for each request, in microseconds, user and system. */
  readonly cpuMicroseconds: number;
}

const CONNECTIONS = 16;

/**
 * Sends a request for some seconds with wrk.
 *
 * @throws When wrk is not installed, or when an answer had another status.
 */
export async function measure(load: Load, pid: number, seconds: number, script: string): Promise<Round> {
  await writeFile(script, luaOf(load));
  const before = cpuMicroseconds(pid);
  const { stdout } = await run('wrk', [
    '-t1',
    `-c${load.connections ?? CONNECTIONS}`,
    `-d${seconds}s`,
    '-s',
    script,
    load.url,
  ]);
  const spent = cpuMicroseconds(pid) - before;
  const [, requests, duration, wrong] = /^result (\d+) (\d+) (\d+)$/m.exec(stdout) ?? [];
  if (requests === undefined || Number(requests) === 0) throw new Error(`Cannot read the result of wrk: ${stdout}`);
  if (wrong !== '0') throw new Error(`${wrong} answers of ${load.url} had another status than ${load.status}`);
  return {
    requestsPerSecond: Number(requests) / (Number(duration) / 1e6),
    cpuMicroseconds: spent / Number(requests),
  };
}

async function run(command: string, args: readonly string[]): Promise<{ stdout: string }> {
  try {
    return await promisify(execFile)(command, args);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      throw new Error('Cannot measure: wrk is not installed; install it, for example with apt-get install wrk');
    }
    throw error;
  }
}

/** User and system time of a process so far; Linux counts it in ticks of 10 ms (proc(5), stat). */
export function cpuMicroseconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
}

function luaOf({ token, body, status }: Load): string {
  return `
wrk.method = "POST"
wrk.headers["Authentication"] = "Bearer ${token}"
wrk.headers["Content-Type"] = "application/json"
wrk.body = ${JSON.stringify(body)}
local threads = {}
wrong = 0
function setup(thread) table.insert(threads, thread) end
function response(status) if status ~= ${status} then wrong = wrong + 1 end end
function done(summary)
  local total = 0
  for _, thread in ipairs(threads) do total = total + thread:get("wrong") end
  print(string.format("result %d %d %d", summary.requests, summary.duration, total))
end
`;
}
