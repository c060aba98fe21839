/** Handles a POST to the batch endpoint: checks and answers each event as if sent alone, and stores all together. */

import type { Config } from '../../config.ts';
import { partitionAt, partitionOf } from '../../storage/keys.ts';
import { admit, refuseRevoked } from '../admit.ts';
import { keepTrying, rejectionOf } from '../keep-refused.ts';
import type { Background, Stores } from '../make-durable.ts';
import { type EventResult, type Outcome, refuse } from '../outcome.ts';
import { idempotencyKeyOf } from '../request-headers.ts';
import { type BatchMember, buildMembers } from './build-members.ts';
import { readTexts } from './read-texts.ts';
import { type NumberedLine, type StoredLines, storeLines } from './store-lines.ts';

const encoder = new TextEncoder();

/** Stores the events of a batch, or only checks them. A batch is not atomic: each event has its own result. */
export async function postBatch(request: Request, config: Config, background: Background): Promise<Outcome> {
  const { bucket } = config;
  const { headers } = request;
  const admitted = await admit(request, config, config.batchRate);
  if (!admitted.ok) return admitted.error;
  const { sender, isCheck, revoked } = admitted.value;
  const texts = await readTexts(request);
  if (await revoked) return refuseRevoked(headers, config, sender);
  if (!texts.ok) return refuse(texts.error, sender);
  const members = buildMembers(texts.value, idempotencyKeyOf(headers), sender);
  if (isCheck) {
    const results = members.map(({ built }): EventResult => {
      return built.ok ? { kind: 'checked', event: built.value } : { kind: 'refused', refusal: built.error };
    });
    return { kind: 'batch', sender, results, queued: 0 };
  }

  const [stored, kept] = await Promise.all([
    storeEvents(members, { queue: config.events, bucket, background }),
    keepRefusals(members, sender.name, { queue: config.rejected, bucket, background }),
  ]);
  const results = members.map(({ built }, at): EventResult => {
    if (!built.ok) return { kind: 'refused', refusal: built.error, storedIn: kept.storedInByPlace.get(at) };
    const storedIn = stored.storedInByPlace.get(at);
    return storedIn === undefined ? LOST : { kind: 'accepted', event: built.value, storedIn };
  });
  // When nothing was stored at all, the sender has to send the whole batch again.
  if (results.every((result) => result === LOST)) return refuse(LOST.refusal, sender);
  return { kind: 'batch', sender, results, queued: stored.queued + kept.queued };
}

const LOST = { kind: 'refused', refusal: { reason: 'stores_refused' } } as const satisfies EventResult;

function storeEvents(members: readonly BatchMember[], stores: Stores): Promise<StoredLines> {
  const lines: NumberedLine[] = [];
  for (const [at, { built }] of members.entries()) {
    if (built.ok) lines.push({ at, line: built.value.line, partition: partitionAt(built.value.receivedAt) });
  }
  return storeLines('landing', lines, stores);
}

async function keepRefusals(members: readonly BatchMember[], sender: string, stores: Stores): Promise<StoredLines> {
  const lines = members.map(async ({ built, text, idempotencyKey }, at): Promise<NumberedLine[]> => {
    if (built.ok) return [];
    const body = { encoding: '', bytes: new Uint8Array(encoder.encode(text)), ending: 'whole' } as const;
    const sentWith = { contentType: 'application/json', idempotencyKey };
    const { line, rejectedAt } = await rejectionOf(built.error, body, sentWith, sender);
    return [{ at, line, partition: partitionOf(rejectedAt) }];
  });
  return storeLines('rejected', (await Promise.all(lines)).flat(), stores, (text, partition) =>
    stores.background.waitUntil(keepTrying(text, partition, stores)),
  );
}
