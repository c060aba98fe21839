/** Tokens sent without TLS, where anybody on the path could read them. They are stored by sender and number. */

import * as v from 'valibot';
import { timestamp } from '../contract/kinds.ts';
import type { Clock } from './clock.ts';
import { readState, swapState } from './state.ts';

const SHOWN_KEY = 'tokens/shown.json';

/** The stored form: each token with the time at which it was last seen, accurate to the hour. */
const ShownSchema = v.object({
  tokens: v.array(v.object({ sender: v.string(), token: v.number(), shown_at: timestamp })),
});

export type ShownToken = v.InferOutput<typeof ShownSchema>['tokens'][number];

/** Retention of a token, in milliseconds. */
const KEEP_MS = 24 * 3_600_000;

/** Reads which tokens were shown within the 24 hours before `now`, in milliseconds since 1970. */
export async function readShownTokens(bucket: Pick<R2Bucket, 'get'>, now: number): Promise<readonly ShownToken[]> {
  const { value } = await readState(bucket, SHOWN_KEY, ShownSchema);
  return recent(value?.tokens ?? [], now);
}

/**
 * Remembers a token. When another request writes at the same time, nothing is written and the next request tries again.
 *
 * @throws What R2 throws.
 */
export async function rememberShown(
  bucket: Pick<R2Bucket, 'get' | 'put'>,
  { sender, token }: Pick<ShownToken, 'sender' | 'token'>,
  clock: Clock,
): Promise<void> {
  const { value, ...last } = await readState(bucket, SHOWN_KEY, ShownSchema);
  const others = (value?.tokens ?? []).filter((shown) => shown.sender !== sender || shown.token !== token);
  const now = clock.now();
  const tokens = [...recent(others, now), { sender, token, shown_at: new Date(now).toISOString() }];
  await swapState(bucket, SHOWN_KEY, { tokens }, last, clock);
}

function recent(tokens: readonly ShownToken[], now: number): ShownToken[] {
  return tokens.filter(({ shown_at }) => now - Date.parse(shown_at) < KEEP_MS);
}
