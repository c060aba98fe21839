/** Revoking tokens: their digests go into the bucket, where every version of the Worker looks. */

import { setTimeout as sleep } from 'node:timers/promises';
import { parseRevoked, REVOKED_KEY, type RevokedToken } from '../../senders/revoked-tokens.ts';
import type { ObjectStore } from '../object-store.ts';

/** How often a change is tried when others change the list at the same time, once a second (R2, Limits). */
const MAX_TRIES = 5;
const PAUSE_MS = 1_000;

/**
 * Adds digests to the list of revoked tokens, those that are not there.
 *
 * @param sender - Whose tokens they are, where that is known.
 * @throws When the list cannot be read or written. Then nothing is revoked.
 */
export async function revokeDigests(
  store: Pick<ObjectStore, 'getTagged' | 'create'>,
  digests: readonly string[],
  sender: string | undefined,
  now = new Date(),
): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const found = await store.getTagged(REVOKED_KEY);
    const revoked = found === undefined ? [] : readList(found.bytes);
    const added = digests
      .filter((digest) => !revoked.some((one) => one.digest === digest))
      .map((digest) => ({ digest, ...(sender !== undefined && { sender }), revoked_at: now.toISOString() }));
    if (added.length === 0) return;
    const list = `${JSON.stringify({ revoked: [...revoked, ...added] }, null, 1)}\n`;
    if (await store.create(REVOKED_KEY, list, found?.etag)) return;
    if (tries === MAX_TRIES) throw new Error(`Cannot write ${REVOKED_KEY}: others go on to change it; try again`);
    await sleep(PAUSE_MS);
  }
}

/** @throws When it is no list, saying what that means. */
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
