/** A POST to the address for batches: each event checked and answered as if it had come alone, and stored together. */

import type { Config } from '../../config.ts';
import { intentionOf } from '../../http/check-only.ts';
import { newEventId } from '../../storage/event-id.ts';
import { objectKey, partitionAt, partitionOf } from '../../storage/keys.ts';
import { authenticate } from '../authenticate.ts';
import type { BuiltEvent } from '../build-event.ts';
import { keepTrying, rejectionOf } from '../keep-refused.ts';
import { type Background, type DurablePath, makeDurable, type Stores } from '../make-durable.ts';
import { type EventResult, type Outcome, refuse } from '../outcome.ts';
import { isOverRate } from '../rate-limit.ts';
import type { Refusal } from '../refusal.ts';
import { idempotencyKeyOf } from '../request-headers.ts';
import { buildMembers, type Member } from './build-members.ts';
import { type Packable, packLines } from './pack-lines.ts';
import { readTexts } from './read-texts.ts';

const encoder = new TextEncoder();

/** Takes the events of a batch, or only checks them. All or nothing is not promised: each has a result of its own. */
export async function postBatch(request: Request, config: Config, background: Background): Promise<Outcome> {
  const { bucket } = config;
  const { headers } = request;
  const authenticated = await authenticate(headers, config);
  if (!authenticated.ok) return refuse(authenticated.error);
  const sender = authenticated.value;
  if (await isOverRate(config.batchRate, sender.name)) return refuse({ reason: 'too_many_requests' }, sender);
  const intention = intentionOf(request.url);
  if (intention === 'unclear') return refuse({ reason: 'unclear_check' }, sender);

  const texts = await readTexts(request);
  if (!texts.ok) return refuse(texts.error, sender);
  const members = await buildMembers(texts.value, idempotencyKeyOf(headers), sender);
  if (intention === 'check') {
    return {
      kind: 'batch',
      sender,
      results: members.map(({ built }) => resultOf(built, (event) => ({ kind: 'checked', event }))),
      queued: 0,
    };
  }

  const [stored, kept] = await Promise.all([
    storeEvents(members, { queue: config.events, bucket, background }),
    keepRefusals(members, sender.name, { queue: config.rejected, bucket, background }),
  ]);
  const results = members.map(({ built }, at) =>
    built.ok ? (stored.byPlace.get(at) ?? LOST) : refused(built.error, kept.byPlace.get(at)),
  );
  // When nothing was stored at all, the whole batch has to come again.
  if (results.every((result) => result === LOST)) return refuse(LOST.refusal, sender);
  return { kind: 'batch', sender, results, queued: stored.queued + kept.queued };
}

function resultOf(built: Member['built'], success: (event: BuiltEvent) => EventResult): EventResult {
  return built.ok ? success(built.value) : refused(built.error);
}

function refused(refusal: Refusal, path?: DurablePath): EventResult {
  return { kind: 'refused', refusal, ...(path !== undefined && { path }) };
}

const LOST = { kind: 'refused', refusal: { reason: 'stores_refused' } } as const satisfies EventResult;

/** A line and the place of its event in the batch. */
interface Numbered extends Packable {
  readonly at: number;
}

/** What is durable, by the places of the events, and how many messages of it the queue has. */
interface Durable<Fact> {
  readonly byPlace: ReadonlyMap<number, Fact>;
  readonly queued: number;
}

/** Stores what was built. */
async function storeEvents(members: readonly Member[], stores: Stores): Promise<Durable<EventResult>> {
  const byPlace = new Map<number, EventResult>();
  let queued = 0;
  const lines = members.flatMap(({ built }, at): (Numbered & { readonly event: BuiltEvent })[] => {
    if (!built.ok) return [];
    const { line, receivedAt } = built.value;
    return [{ at, line, partition: partitionAt(receivedAt), event: built.value }];
  });
  await Promise.all(
    packLines(lines).map(async ({ text, partition, items }) => {
      const durable = await makeDurable(text, () => objectKey('landing', partition, newEventId()), stores);
      if (!durable.ok) return;
      if (durable.value === 'queue') queued += 1;
      for (const { at, event } of items) byPlace.set(at, { kind: 'accepted', event, path: durable.value });
    }),
  );
  return { byPlace, queued };
}

/** Keeps what was refused, and says where it was kept in time. */
async function keepRefusals(members: readonly Member[], sender: string, stores: Stores): Promise<Durable<DurablePath>> {
  const byPlace = new Map<number, DurablePath>();
  let queued = 0;
  const lines = members.map(async ({ built, text, idempotencyKey }, at): Promise<Numbered[]> => {
    if (built.ok) return [];
    const body = { encoding: '', bytes: new Uint8Array(encoder.encode(text)), ending: 'whole' } as const;
    const sentWith = { contentType: 'application/json', idempotencyKey };
    const { line, rejectedAt } = await rejectionOf(built.error, body, sentWith, sender);
    return [{ at, line, partition: partitionOf(rejectedAt) }];
  });
  await Promise.all(
    packLines((await Promise.all(lines)).flat()).map(async ({ text, partition, items }) => {
      const durable = await makeDurable(text, () => objectKey('rejected', partition, newEventId()), stores);
      if (!durable.ok) return stores.background.waitUntil(keepTrying(text, partition, stores));
      if (durable.value === 'queue') queued += 1;
      for (const { at } of items) byPlace.set(at, durable.value);
    }),
  );
  return { byPlace, queued };
}
