/** Whether the service can carry out what is asked for with a key: while it cannot, it publishes nothing. */

import * as v from 'valibot';
import { createKeyedDigest, keyCheckOf } from '../../guests/digest.ts';
import { REQUEST_KEPT_DAYS } from '../../storage/erasure.ts';
import { ERASURE_REQUESTS, LAST_RUN_KEY } from '../../storage/keys.ts';
import { LastRunSchema } from '../../storage/last-run.ts';
import type { ObjectStore } from '../object-store.ts';

const CANNOT = 'Cannot erase a guest';
const TAKES_EFFECT = 'the next run of the publisher, within a minute, takes note of it';

/**
 * Compares a key with the one of the last run of the publisher, and with those of the requests that are under way.
 *
 * @param key - PSEUDONYM_KEY.
 * @throws When they differ; the message says what to do.
 */
export async function refuseUnfitKey(store: Pick<ObjectStore, 'list' | 'get'>, key: string): Promise<void> {
  const keyCheck = keyCheckOf(await createKeyedDigest(key));
  const text = await store.get(LAST_RUN_KEY);
  // Without any run there is nothing to compare with, and nothing published either.
  if (text !== undefined) refuseOtherThanWorker(new TextDecoder().decode(text), keyCheck);
  for await (const { key: request } of store.list(ERASURE_REQUESTS)) {
    const body = await store.get(request);
    if (body === undefined) continue;
    if (v.parse(RequestSchema, new TextDecoder().decode(body)).key_check !== keyCheck) {
      throw new Error(
        `${CANNOT}: ${request} was made with another PSEUDONYM_KEY. Set the one that the Worker has; if it was changed, wait until that request is gone (${REQUEST_KEPT_DAYS} days after it was made), or delete it and ask for that guest again`,
      );
    }
  }
}

const RequestSchema = v.pipe(v.string(), v.parseJson(), v.object({ key_check: v.string() }));
const RunSchema = v.pipe(v.string(), v.parseJson(), v.pick(LastRunSchema, ['pseudonym_key_check']));

function refuseOtherThanWorker(lastRun: string, keyCheck: string): void {
  const run = v.safeParse(RunSchema, lastRun);
  if (!run.success) throw new Error(`${CANNOT}: ${LAST_RUN_KEY} cannot be read; ${TAKES_EFFECT} and writes it anew`);
  switch (run.output.pseudonym_key_check) {
    case keyCheck:
      return;
    case null:
      throw new Error(
        `${CANNOT}: the Worker has no PSEUDONYM_KEY. Give it this one, with npm run secret -- set PSEUDONYM_KEY --env production; ${TAKES_EFFECT}`,
      );
    default:
      throw new Error(
        `${CANNOT}: PSEUDONYM_KEY is another here than in the Worker. Set it here to the secret that the Worker has; if you have just changed that, ${TAKES_EFFECT}`,
      );
  }
}
