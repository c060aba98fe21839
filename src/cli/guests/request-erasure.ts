/** Requests the erasure of a guest: creates one object, once, which the publisher acts on. */

import { v7 } from 'uuid';
import * as v from 'valibot';
import { createKeyedDigest, keyCheckOf } from '../../guests/digest.ts';
import { type GuestSelection, wantedIdentifiers } from '../../guests/selection.ts';
import { MIN_PSEUDONYM_KEY } from '../../guests/settings.ts';
import { type ErasureRequest, ErasureRequestSchema, REQUEST_KEPT_DAYS } from '../../storage/erasure.ts';
import { ERASURE_REQUESTS, erasureRequestKey, LAST_RUN_KEY } from '../../storage/keys.ts';
import { LastRunSchema } from '../../storage/last-run.ts';
import { partKey } from '../../storage/log-entry.ts';
import { localPseudonymKey } from '../local-service.ts';
import type { ObjectStore } from '../object-store.ts';
import { parseStored } from '../parse-stored.ts';
import type { Hit } from './checkpoint.ts';
import type { Found } from './search.ts';

const CANNOT = 'Cannot erase a guest';
const TAKES_EFFECT = 'the next run of the publisher, within a minute, picks it up';

/**
 * Reads PSEUDONYM_KEY, the key of the digests of identifiers.
 *
 * @param isLocal - Whether the service runs on this machine: its key is in `.dev.vars`.
 * @throws When it is missing or too short; the message says what to do.
 */
export function pseudonymKey(isLocal: boolean, env: NodeJS.ProcessEnv = process.env): string {
  const key = env.PSEUDONYM_KEY?.trim() || (isLocal ? localPseudonymKey() : '');
  if (key.length >= MIN_PSEUDONYM_KEY) return key;
  const why = key === '' ? 'PSEUDONYM_KEY is not set' : `PSEUDONYM_KEY has fewer than ${MIN_PSEUDONYM_KEY} characters`;
  throw new Error(
    `${CANNOT}: ${why}. Erasures are kept as digests made with it, so that they hold no value. Set it here to the secret that the Worker has; if the Worker has none yet, make one with "openssl rand -hex 32" and give it to both: npm run secret -- set PSEUDONYM_KEY --env production`,
  );
}

/**
 * Compares the key with that of the publisher's last run and of the pending requests: the service publishes nothing
 * while there is a request that it cannot carry out.
 *
 * @param key - PSEUDONYM_KEY.
 * @throws When they differ; the message says what to do.
 */
export async function refuseUnfitKey(store: Pick<ObjectStore, 'list' | 'get'>, key: string): Promise<void> {
  const keyCheck = keyCheckOf(createKeyedDigest(key));
  const lastRun = await store.get(LAST_RUN_KEY);
  // Before the first run there is nothing to compare with, and nothing published.
  if (lastRun !== undefined) refuseOtherThanWorker(lastRun, keyCheck);
  for await (const { key: requestKey } of store.list(ERASURE_REQUESTS)) {
    const body = await store.get(requestKey);
    if (body === undefined) continue;
    const request = parseStored(v.pick(ErasureRequestSchema, ['key_check']), body);
    if (!request.ok) throw new Error(`${CANNOT}: ${requestKey} cannot be read: ${request.error}; delete it`);
    if (request.value.key_check !== keyCheck) {
      throw new Error(
        `${CANNOT}: ${requestKey} was made with another PSEUDONYM_KEY. Set the one that the Worker has; if it was changed, wait until that request is gone (${REQUEST_KEPT_DAYS} days after it was made), or delete it and ask for that guest again`,
      );
    }
  }
}

function refuseOtherThanWorker(lastRun: Uint8Array, keyCheck: string): void {
  const run = parseStored(v.pick(LastRunSchema, ['pseudonym_key_check']), lastRun);
  if (!run.ok) throw new Error(`${CANNOT}: ${LAST_RUN_KEY} cannot be read; ${TAKES_EFFECT} and writes it again`);
  switch (run.value.pseudonym_key_check) {
    case keyCheck:
      return;
    case null:
      throw new Error(
        `${CANNOT}: the Worker has no PSEUDONYM_KEY. Give it this one, with npm run secret -- set PSEUDONYM_KEY --env production; ${TAKES_EFFECT}`,
      );
    default:
      throw new Error(
        `${CANNOT}: PSEUDONYM_KEY differs from the one of the Worker. Set it here to the secret that the Worker has; if you have just changed that, ${TAKES_EFFECT}`,
      );
  }
}

/**
 * Creates the request.
 *
 * @param key - PSEUDONYM_KEY.
 * @returns The id of the erasure.
 * @throws When the service could not carry out the request with its own key.
 */
export async function requestErasure(
  store: Pick<ObjectStore, 'list' | 'get' | 'create'>,
  selection: GuestSelection,
  { hits, startedAt, logThrough, through }: Pick<Found, 'hits' | 'startedAt' | 'logThrough' | 'through'>,
  key: string,
): Promise<string> {
  await refuseUnfitKey(store, key);
  const digest = createKeyedDigest(key);
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

/** The rows to erase in each part. Other objects in `events/` are left alone. */
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
