/** Keeping a landing object whole that holds anything but lines of its hour. Its readable lines are published as well. */

import { create } from '../storage/create-object.ts';
import { setAsideKey } from '../storage/keys.ts';
import { logError } from '../telemetry/log.ts';
import type { Bucket } from './bucket.ts';

/** Copies an object to `unreadable/`. */
export async function setAside(bucket: Pick<Bucket, 'get' | 'put'>, key: string): Promise<void> {
  const object = await bucket.get(key);
  if (object === null) return;
  const copy = setAsideKey(key);
  await create(bucket, copy, object.body, {});
  logError('unreadable_landing_object', new Error(`${key} holds something else than lines of its hour; see ${copy}`));
}
