/** Load from this process: at a steady rate, whatever the answers do, or so many requests one after the other. */

import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Load } from './load.ts';

/** More would only share what the Worker can do; what waits for one of them counts as waiting for the answer. */
const CONNECTIONS = 256;

/**
 * Sends so many requests a second for some seconds.
 *
 * @returns How long each answer took, in milliseconds, in ascending order. It counts from when the request was due, so
 * that an answer which holds up later requests counts for those too.
 * @throws When an answer has another status, or the connection breaks.
 */
export async function sendSteadily(load: Load, perSecond: number, seconds: number): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const total = Math.round(perSecond * seconds);
  const started = performance.now();
  const answers: Promise<number>[] = [];
  while (answers.length < total) {
    const due = started + (answers.length / perSecond) * 1_000;
    // Timers have milliseconds: what is due within one is sent at once.
    if (due > performance.now()) await sleep(1);
    else {
      const answer = post(load, agent).then(() => performance.now() - due);
      // A failure is thrown where all are awaited; until then it must not count as unhandled.
      answer.catch(() => undefined);
      answers.push(answer);
    }
  }
  const latencies = await Promise.all(answers);
  agent.destroy();
  return latencies.sort((a, b) => a - b);
}

/**
 * Sends so many requests, so many at a time.
 *
 * @throws When an answer has another status, or the connection breaks.
 */
export async function sendInTurn(load: Load, total: number, connections: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  let left = total;
  const connection = async () => {
    for (; left > 0; left -= 1) await post(load, agent);
  };
  await Promise.all(Array.from({ length: connections }, connection));
  agent.destroy();
}

/** The value below which such a share of sorted values lies. */
export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN;
}

function post({ url, token, body, status }: Load, agent: Agent): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const headers = {
    Authentication: `Bearer ${token}`,
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
  };
  const sent = request(url, { method: 'POST', agent, headers }, (response) => {
    response.resume();
    response.once('error', reject);
    response.once('end', () =>
      response.statusCode === status ? resolve() : reject(new Error(`${url} answered ${response.statusCode}`)),
    );
  });
  sent.once('error', reject);
  sent.end(body);
  return promise;
}
