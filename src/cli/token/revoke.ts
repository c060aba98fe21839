/** Revokes tokens by writing their digests to the bucket, where every version of the Worker reads them. */

import { parseRevoked, REVOKED_KEY, type RevokedToken } from '../../senders/revoked-tokens.ts';
import { type AttemptResult, retrying } from '../backoff.ts';
import type { ObjectStore } from '../object-store.ts';

/** Attempts at a change while others change the list, too. */
const MAX_TRIES = 8;

/**
 * Adds digests to the list of revoked tokens, except those it already has.
 *
 * @param sender - The holder of the tokens, if known.
 * @throws When the list cannot be read or written. Then nothing is revoked.
 */
export async function revokeDigests(
  store: Pick<ObjectStore, 'getTagged' | 'create'>,
  digests: readonly string[],
  sender: string | undefined,
  signal: AbortSignal,
): Promise<void> {
  const attempt = async (): Promise<AttemptResult<true>> => {
    const found = await store.getTagged(REVOKED_KEY);
    const revoked = found === undefined ? [] : readList(found.bytes);
    const now = new Date().toISOString();
    const added = digests
      .filter((digest) => !revoked.some((one) => one.digest === digest))
      .map((digest) => ({ digest, ...(sender !== undefined && { sender }), revoked_at: now }));
    if (added.length === 0) return { value: true };
    const list = `${JSON.stringify({ revoked: [...revoked, ...added] }, null, 1)}\n`;
    return (await store.create(REVOKED_KEY, list, found?.etag)) ? { value: true } : { why: 'others keep changing it' };
  };
  const say = (why: string) => `Cannot write ${REVOKED_KEY}: ${why}; try again`;
  await retrying(attempt, { attempts: MAX_TRIES, signal, say });
}

/** @throws When it is not a list, saying what follows from that. */
function readList(bytes: Uint8Array): RevokedToken[] {
  try {
    return parseRevoked(Buffer.from(bytes).toString());
  } catch (cause) {
    throw new Error(
      `Cannot read ${REVOKED_KEY}: it is not what this command writes there. Repair it; new isolates refuse no revoked token until then`,
      { cause },
    );
  }
}
