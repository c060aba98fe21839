import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { post } from '../post.ts';
import { SMALL_EVENT } from '../sample.ts';

/** A few more than one address may have in a minute. */
const GUESSES = 400;
const AT_ONCE = 100;

/** Guesses of which three in four are nearly right: longer, shorter, or in the other case. */
function guess(number: number): string {
  const right = env.API_TOKEN;
  return [`guess-${number}`, `${right}${number}`, right.slice(1), right.toUpperCase()][number % 4] ?? '';
}

const send = async (token: string) => (await post(SMALL_EVENT, token, env, { 'CF-Connecting-IP': '192.0.2.7' })).status;

test(`none of ${GUESSES} wrong tokens is accepted, and none upsets the service`, async () => {
  const statuses: number[] = [];
  while (statuses.length < GUESSES) {
    const tokens = Array.from({ length: AT_ONCE }, (_, index) => guess(statuses.length + index));
    statuses.push(...(await Promise.all(tokens.map(send))));
  }
  // How many are too many depends on where in a minute they come: the limiter counts by the minute of the clock.
  expect(statuses.filter((status) => status !== 401 && status !== 429)).toEqual([]);
  expect((await env.BUCKET.list()).objects).toEqual([]);
});
