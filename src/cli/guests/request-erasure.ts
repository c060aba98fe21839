/** Asking the service to erase a guest: one object, created once, which its clock carries out. */

import { v7 } from 'uuid';
import * as v from 'valibot';
import { createKeyedDigest, keyCheckOf } from '../../guests/digest.ts';
import { type GuestSelection, wantedIdentifiers } from '../../guests/selection.ts';
import { type ErasureRequest, ErasureRequestSchema } from '../../storage/erasure.ts';
import { erasureRequestKey } from '../../storage/keys.ts';
import { partKey } from '../../storage/log-entry.ts';
import type { ObjectStore } from '../object-store.ts';
import type { Hit } from './checkpoint.ts';
import { refuseUnfitKey } from './refuse-unfit-key.ts';
import type { Found } from './search.ts';

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
  { hits, startedAt, logThrough, through }: Pick<Found, 'hits' | 'startedAt' | 'logThrough' | 'through'>,
  key: string,
): Promise<string> {
  await refuseUnfitKey(store, key);
  const digest = await createKeyedDigest(key);
  const erasureId = v7({ msecs: startedAt.getTime() });
  const request: ErasureRequest = {
    erasure_id: erasureId,
    requested_at: startedAt.toISOString(),
    received_through: through.toISOString(),
    log_through: logThrough,
    key_check: keyCheckOf(digest),
    digests: [...wantedIdentifiers(selection)].map(digest).sort(),
    parts: partsOf(hits),
  };
  const checked = v.parse(ErasureRequestSchema, request);
  await store.create(erasureRequestKey(erasureId), JSON.stringify(checked));
  return erasureId;
}

/** The rows of each part. What lies among the parts and is none is not touched. */
function partsOf(hits: readonly Hit[]): ErasureRequest['parts'] {
  const rows = hits.filter(({ place, key, event_id: id }) => place === 'events' && v.is(partKey, key) && id !== null);
  return Array.from(
    Map.groupBy(rows, ({ key }) => key),
    ([key, inPart]) => {
      const idsOf = (own: boolean) => inPart.filter((hit) => hit.own === own).flatMap(({ event_id: id }) => id ?? []);
      return { key, event_ids: idsOf(true), named_in: idsOf(false) };
    },
  );
}
