/** Checks and builds each event of a batch as if it had been sent alone. Nothing is stored here. */

import { hash } from 'node:crypto';
import { contentText, FINGERPRINT_BYTES } from '../../contract/fingerprint.ts';
import { fail, type Result } from '../../result.ts';
import type { Sender } from '../../senders/sender.ts';
import { isLongerThan } from '../../storage/line.ts';
import { type BuiltEvent, checkPayload, writeEvent } from '../build-event.ts';
import { MAX_BODY_BYTES } from '../limits.ts';
import type { Refusal } from '../refusal.ts';
import { readSentEvent, type SentEvent } from './sent-event.ts';

/** One event of a batch as it was sent, and the result of building it. */
export interface BatchMember {
  readonly text: string;
  readonly idempotencyKey: string | null;
  readonly built: Result<BuiltEvent, Refusal>;
}

/**
 * Builds the events of a batch.
 *
 * @param batchKey - The key of the whole batch. An event without its own key gets this one with its index appended.
 */
export function buildMembers(
  texts: readonly string[],
  batchKey: string | null,
  sender: Sender,
): readonly BatchMember[] {
  return texts.map((sentAs, at) => {
    const sent = readSentEvent(sentAs);
    const idempotencyKey = sent.idempotencyKey ?? (batchKey === null ? null : `${batchKey}/${at}`);
    return { text: sent.text, idempotencyKey, built: build(sent, idempotencyKey, sender) };
  });
}

function build({ text, payload }: SentEvent, idempotencyKey: string | null, sender: Sender): BatchMember['built'] {
  if (isLongerThan(text, MAX_BODY_BYTES)) return fail({ reason: 'body_too_large', limitBytes: MAX_BODY_BYTES });
  if (!payload.ok) return payload;
  const checked = checkPayload(payload.value, sender);
  if (!checked.ok) return checked;
  const { reservation, extra } = checked.value;
  // The same as fingerprint() of the contract, but synchronous: a batch has up to a thousand events.
  const digest = hash('sha256', contentText(reservation, extra)).slice(0, 2 * FINGERPRINT_BYTES);
  return writeEvent(checked.value, digest, idempotencyKey, sender);
}
