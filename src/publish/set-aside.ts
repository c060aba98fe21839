/** Keeping a landing object whole that holds anything but lines of its hour. Its readable lines are published as well. */

import type { ActiveErasures } from '../guests/active-erasures.ts';
import { create } from '../storage/create-object.ts';
import { setAsideKey } from '../storage/keys.ts';
import { logError } from '../telemetry/log.ts';
import type { Bucket } from './bucket.ts';
import { withoutWanted } from './erase/wanted-lines.ts';

/**
 * Copies an object to `unreadable/`.
 *
 * @param erasures - The guests whose lines are left out.
 */
export async function setAside(
  bucket: Pick<Bucket, 'get' | 'put'>,
  key: string,
  erasures: ActiveErasures | undefined,
): Promise<void> {
  const object = await bucket.get(key);
  if (object === null) return;
  const copy = setAsideKey(key);
  const body = erasures === undefined ? object.body : await withoutGuests(object, erasures);
  if (body === undefined) return;
  await create(bucket, copy, body, {});
  logError('unreadable_landing_object', new Error(`${key} holds something else than lines of its hour; see ${copy}`));
}

/** What is left of an object; undefined when nothing is. */
async function withoutGuests(
  object: R2ObjectBody,
  erasures: ActiveErasures,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const { rest, removed } = await withoutWanted(new Uint8Array(await object.arrayBuffer()), object.key, erasures);
  return removed > 0 && rest.length === 0 ? undefined : rest;
}
