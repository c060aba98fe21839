/** Requests to a Worker, and what they cost its process. */

import { readFileSync } from 'node:fs';
import pMap from 'p-map';

/** One request, sent over and over. */
export interface Load {
  readonly path: string;
  readonly token: string;
  readonly body: string;
  /** The status that every answer must have. */
  readonly status: number;
}

/**
 * Sends a request so many times, so many at once.
 *
 * @throws When an answer has another status.
 */
export async function send(
  origin: string,
  { path, token, body, status }: Load,
  times: number,
  atOnce: number,
): Promise<void> {
  const headers = { Authentication: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const sendOne = async () => {
    const response = await fetch(origin + path, { method: 'POST', headers, body });
    await response.arrayBuffer();
    if (response.status !== status) throw new Error(`${path} was answered ${response.status}, not ${status}`);
  };
  await pMap(Array(times), sendOne, { concurrency: atOnce });
}

/** User and system time of a process so far, in microseconds; Linux counts it in ticks of 10 ms (proc(5), stat). */
export function cpuMicroseconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
}
