/** Guests, who ask to be erased, and the tool that searches for them and makes the request. */

import { ERASE_LIMITS, type EraseLimits } from '../../src/publish/erase/limits.ts';
import type { ErasureRequest } from '../../src/storage/erasure.ts';
import type { Isolate } from './isolates.ts';
import type { Ledger } from './ledger.ts';
import type { ModelBucket } from './model-bucket.ts';
import type { Network } from './network.ts';
import type { Actor } from './world.ts';

/** A key for the simulation and nothing else. */
export const PSEUDONYM_KEY = 'a key for the simulation and nothing else';

/** Every so many events are of a guest who asks to be erased. */
const EVERY = 3;
export const GUESTS = ['guest-one', 'guest-two'] as const;

/** Few of everything, so that every limit is reached. */
export const SMALL_ERASE: EraseLimits = {
  ...ERASE_LIMITS,
  partsAtOnce: 2,
  runParts: 3,
  runBytes: 20_000,
  searchWeight: 1,
};

/** Whose the event of this number is. */
export function guestOf(event: number): string {
  return (event % EVERY === 0 ? GUESTS[(event / EVERY) % GUESTS.length] : undefined) ?? 'somebody else';
}

/** Where the tool searches. */
interface Place {
  readonly network: Network;
  readonly bucket: ModelBucket;
  readonly ledger: Ledger;
}

/** Searches as the tool does, and creates the request. */
export async function requestErasure(
  { network, bucket, ledger }: Place,
  code: Isolate,
  actor: Actor,
  guest: string,
): Promise<void> {
  const store = network.store(actor, bucket);
  const textOf = async (key: string) => {
    const body = await store.get(key);
    // It was replaced since it was listed: the tool is run again.
    if (body === undefined) throw new Error(`${key} is gone`);
    return new TextDecoder().decode(body);
  };
  let logThrough = 0;
  for await (const { key } of store.list('events/v1/_log/')) logThrough = Number(/(\d+)\.json$/.exec(key)?.[1]);
  const through = Date.now();
  const parts: ErasureRequest['parts'] = [];
  for await (const { key } of store.list('events/v1/dt=')) {
    const lines = (await textOf(key)).split('\n').filter((line) => line.includes(guest));
    const ids = lines
      .map((line) => code.recordIdOf(line as Parameters<typeof code.recordIdOf>[0]))
      .filter((id) => code.timeOf(id).getTime() <= through);
    if (ids.length > 0) parts.push({ key, event_ids: ids, named_in: [] });
  }
  const digest = await code.createKeyedDigest(PSEUDONYM_KEY);
  const request: ErasureRequest = {
    erasure_id: code.uuidv7(),
    requested_at: new Date().toISOString(),
    received_through: new Date(through).toISOString(),
    log_through: logThrough,
    key_check: code.keyCheckOf(digest),
    digests: [digest(code.idIdentifier('customer_id', guest, code.UNKNOWN_HOTEL))],
    parts,
  };
  ledger.ask(guest, request.erasure_id, through);
  await store.create(code.erasureRequestKey(request.erasure_id), JSON.stringify(request));
}
