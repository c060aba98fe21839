/** The record of a refused body. */

import { fingerprintOfBytes } from '../contract/fingerprint.ts';
import { newEventId, timeOf } from '../storage/event-id.ts';
import type { Rejection } from '../storage/rejection.ts';
import type { AcceptFailure } from './accept.ts';
import { idempotencyKeyOf } from './idempotency-key.ts';
import type { Problem } from './problem.ts';
import type { ReceivedBody } from './received-body.ts';

/** Describes a body that `sender` sent and that was refused with `problem`. */
export async function buildRejection(
  { reason }: AcceptFailure,
  { status, slug, errors = [] }: Problem,
  received: ReceivedBody,
  headers: Headers,
  sender: string,
): Promise<Rejection> {
  const id = newEventId();
  return {
    rejection_id: id,
    rejected_at: timeOf(id).toISOString(),
    sender,
    status,
    problem: slug,
    reason,
    errors: errors.map(({ field, code }) => ({ field, code })),
    content_type: headers.get('Content-Type'),
    content_encoding: received.encoding || null,
    idempotency_key: idempotencyKeyOf(headers),
    body_fingerprint: await fingerprintOfBytes(received.bytes),
    truncated: received.ending !== 'whole',
    ...asText(received.bytes),
  };
}

// A byte order mark stays, so that the text is the bytes and nothing else.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The bytes as text where a line can carry that unchanged; U+0000 is the one character of UTF-8 that it cannot. */
function asText(bytes: Uint8Array): Pick<Rejection, 'body_encoding' | 'body'> {
  if (!bytes.includes(0)) {
    try {
      return { body_encoding: 'text', body: decoder.decode(bytes) };
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
    }
  }
  return { body_encoding: 'base64', body: bytes.toBase64() };
}
