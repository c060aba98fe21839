/** The events of a batch, each checked and built as if it had come alone. Nothing is stored here. */

import { hash } from 'node:crypto';
import { contentText, FINGERPRINT_BYTES } from '../../contract/fingerprint.ts';
import type { Reservation } from '../../contract/reservation.ts';
import { fail, type Result } from '../../result.ts';
import type { Sender } from '../../senders/sender.ts';
import { isLongerThan } from '../../storage/line.ts';
import { type BuiltEvent, checkPayload, writeEvent } from '../build-event.ts';
import { MAX_BODY_BYTES } from '../limits.ts';
import type { Refusal } from '../refusal.ts';
import { readSentEvent, type SentEvent } from './sent-event.ts';

/** One event of the batch: what was sent of it, and what became of that. */
export interface Member {
  /** As it is written. */
  readonly text: string;
  readonly idempotencyKey: string | null;
  readonly built: Result<BuiltEvent, Refusal>;
}

/** An event at its longest, and as much again for the envelope: what is longer is refused unread. */
const MAX_SENT_BYTES = 2 * MAX_BODY_BYTES;

/**
 * Builds the events of a batch.
 *
 * @param batchKey - The key of the whole batch: it becomes one for each event that has none, by its place.
 */
export function buildMembers(texts: readonly string[], batchKey: string | null, sender: Sender): readonly Member[] {
  const fingerprint = createFingerprint();
  return texts.map((sentAs, at) => {
    const sent = isLongerThan(sentAs, MAX_SENT_BYTES) ? unread(sentAs) : readSentEvent(sentAs);
    const idempotencyKey = sent.idempotencyKey ?? (batchKey === null ? null : [batchKey, at].join('/'));
    return { text: sent.text, idempotencyKey, built: build(sent, idempotencyKey, sender, fingerprint) };
  });
}

const TOO_LARGE = { reason: 'body_too_large', limitBytes: MAX_BODY_BYTES } as const;

function unread(text: string): Unread {
  return { text, payload: fail(TOO_LARGE), idempotencyKey: null };
}

type Unread = Omit<SentEvent, 'payload'> & { readonly payload: Result<never, typeof TOO_LARGE> };

function build(
  { text, payload }: SentEvent | Unread,
  idempotencyKey: string | null,
  sender: Sender,
  fingerprint: Fingerprint,
): Member['built'] {
  if (isLongerThan(text, MAX_BODY_BYTES)) return fail(TOO_LARGE);
  if (!payload.ok) return payload;
  const checked = checkPayload(payload.value, sender);
  if (!checked.ok) return checked;
  const { reservation, extra } = checked.value;
  return writeEvent(checked.value, fingerprint(reservation, extra), idempotencyKey, sender);
}

/** The content of nearly every event fits, in UTF-8 bytes. */
const ROOM_BYTES = 16_384;

/** The most bytes that UTF-8 takes for each UTF-16 code unit (RFC 3629). */
const MAX_BYTES_PER_UNIT = 3;

const encoder = new TextEncoder();

/** Gives what `fingerprint()` of the contract gives, at once. */
type Fingerprint = (reservation: Reservation, extra: string | null) => string;

/** Makes the room in which the contents of one batch are hashed. */
function createFingerprint(): Fingerprint {
  // Encoding into the same bytes again and again leaves no garbage.
  const room = new Uint8Array(ROOM_BYTES);
  return (reservation, extra) => {
    const text = contentText(reservation, extra);
    const fits = text.length * MAX_BYTES_PER_UNIT <= ROOM_BYTES;
    const bytes = fits ? room.subarray(0, encoder.encodeInto(text, room).written) : encoder.encode(text);
    return hash('sha256', bytes, 'buffer').toString('hex', 0, FINGERPRINT_BYTES);
  };
}
