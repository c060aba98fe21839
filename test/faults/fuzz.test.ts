/** Mutated requests at the endpoint: whatever comes, the answer is one of ours and says nothing it should not. */

import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import * as v from 'valibot';
import { afterEach, expect, test, vi } from 'vitest';
import { RowSchema } from '../../src/contract/row.ts';
import worker from '../../src/index.ts';
import { isLine, isRejectionLine } from '../../src/storage/line.ts';
import { CANARY, mutate } from './mutate.ts';
import { seeded } from './random.ts';

const runs = __THOROUGH__ ? 100_000 : 1_000;
const SEED = 2_026;
const AT_ONCE = 50;
const STATUSES = [202, 400, 401, 403, 404, 405, 413, 415, 422];

afterEach(() => void vi.restoreAllMocks());

test(`${runs} mutated requests, none of which upsets the service`, { timeout: 300_000 }, async () => {
  const logged: string[] = [];
  vi.spyOn(console, 'log').mockImplementation((line) => void logged.push(JSON.stringify(line)));
  vi.spyOn(console, 'error').mockImplementation((line) => void logged.push(JSON.stringify(line)));
  const random = seeded(SEED);
  const counts = new Map<number, number>();
  const faults: string[] = [];
  // Stores that confirm at once and look at every line: how real ones fail is another test's matter.
  const events = keep((line) => isLine(line) && v.is(RowSchema, JSON.parse(line)));
  const rejections = keep(isRejectionLine);
  const { SENDER_RATE: _, WRONG_TOKEN_RATE: __, ...unlimited } = env;
  const stores = {
    EVENTS: Object.assign(Object.create(env.EVENTS), events),
    REJECTED: Object.assign(Object.create(env.REJECTED), rejections),
  };
  const using = { ...unlimited, ...stores };

  async function tryOne(number: number, request: Request): Promise<void> {
    const response = await worker.fetch(request, using, createExecutionContext());
    const answer = `${await response.text()} ${JSON.stringify([...response.headers])}`;
    counts.set(response.status, (counts.get(response.status) ?? 0) + 1);
    if (!STATUSES.includes(response.status)) faults.push(`${number}: status ${response.status}`);
    if (answer.includes(CANARY) || answer.includes(env.API_TOKEN)) faults.push(`${number}: an echo in the answer`);
  }

  for (let number = 0; number < runs; number += AT_ONCE) {
    const requests = Array.from({ length: AT_ONCE }, () => mutate(random, env.API_TOKEN));
    await Promise.all(requests.map((request, at) => tryOne(number + at, request)));
    if (logged.some((line) => line.includes(CANARY) || line.includes(env.API_TOKEN)))
      faults.push(`${number}: an echo in the log`);
    logged.length = 0;
  }

  expect(faults).toEqual([]);
  expect(events.odd).toEqual([]);
  expect(rejections.odd).toEqual([]);
  expect(events.taken).toBe(counts.get(202));
  const refused = [400, 403, 413, 415, 422].map((status) => counts.get(status) ?? 0);
  expect(rejections.taken).toBe(refused.reduce((sum, times) => sum + times, 0));
});

/** A queue that confirms at once, counts, and keeps the lines that are not as they should be. */
function keep(isGood: (line: string) => boolean) {
  const queue = {
    taken: 0,
    odd: [] as string[],
    async send(line: string) {
      queue.taken += 1;
      if (!isGood(line)) queue.odd.push(line);
    },
  };
  return queue;
}
