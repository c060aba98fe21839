/** Asking the service to erase a guest: one object, created once, which its clock carries out. */

import { v7 } from 'uuid';
import * as v from 'valibot';
import { keyCheckOf, openKeyedDigest } from '../../guests/digest.ts';
import { type GuestSelection, wantedIdentifiers } from '../../guests/selection.ts';
import { type ErasureRequest, ErasureRequestSchema } from '../../storage/erasure.ts';
import { erasureRequestKey } from '../../storage/keys.ts';
import type { ObjectStore } from '../object-store.ts';
import type { Hit } from './checkpoint.ts';
import type { Place } from './places.ts';
import { refuseUnfitKey } from './refuse-unfit-key.ts';
import type { Found } from './search.ts';

/** Where lines are removed; those of `landing/` are erased when they are published. */
const REMOVED_FROM: readonly Place[] = ['rejected', 'dead-letter', 'unreadable'];

/**
 * Creates the request.
 *
 * @param key - PSEUDONYM_KEY.
 * @returns Its id.
 * @throws When the service could not carry the request out with its own key.
 */
export async function requestErasure(
  store: Pick<ObjectStore, 'list' | 'get' | 'create'>,
  selection: GuestSelection,
  { hits, startedAt, logThrough, through }: Found,
  key: string,
): Promise<string> {
  await refuseUnfitKey(store, key);
  const digest = await openKeyedDigest(key);
  const now = new Date();
  const erasureId = v7({ msecs: now.getTime() });
  const request: ErasureRequest = {
    erasure_id: erasureId,
    requested_at: now.toISOString(),
    received_through: through.toISOString(),
    searched_from: startedAt.toISOString(),
    log_through: logThrough,
    key_check: keyCheckOf(digest),
    digests: [...wantedIdentifiers(selection)].map(digest).sort(),
    parts: byObject(hits.filter(({ place }) => place === 'events')).map(([partKey, inPart]) => ({
      key: partKey,
      event_ids: inPart.flatMap(({ event_id: id }) => id ?? []),
    })),
    objects: byObject(hits.filter(({ place }) => REMOVED_FROM.includes(place))).map(([objectKey, inObject]) => ({
      key: objectKey,
      lines: inObject.map(({ line }) => line),
    })),
  };
  const checked = v.parse(ErasureRequestSchema, request);
  await store.create(erasureRequestKey(erasureId), JSON.stringify(checked));
  return erasureId;
}

function byObject(hits: readonly Hit[]): [string, Hit[]][] {
  return [...Map.groupBy(hits, ({ key }) => key)];
}
