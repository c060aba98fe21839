/** Keeps refused bodies in `rejected/`, so that they can be examined and replayed. */

import { fingerprintOfBytes } from '../contract/fingerprint.ts';
import { timeOf, uuidv7 } from '../storage/event-id.ts';
import { objectKey, partitionOf } from '../storage/keys.ts';
import { type RejectionLine, recordIdOf, toRejectionLine } from '../storage/line.ts';
import type { Rejection } from '../storage/rejection.ts';
import { log, logError } from '../telemetry/log.ts';
import { LATE_DELAYS_MS } from './limits.ts';
import { makeDurable, type StoredIn, type Stores } from './make-durable.ts';
import { problemTypeOf } from './problem.ts';
import type { ReceivedBody } from './read-body.ts';
import type { Refusal } from './refusal.ts';
import { idempotencyKeyOf } from './request-headers.ts';

export interface Kept {
  readonly rejectionId: string;
  readonly storedIn: StoredIn;
}

/**
 * Stores the body of an authenticated request that is refused. The answer waits for it as long as for an event, and
 * does not depend on whether it is stored.
 *
 * @returns The store that has the body, or undefined when none confirmed in time. Storing it is then retried after the
 * answer, and the result is logged.
 */
export async function keepRefused(
  refusal: Refusal,
  received: ReceivedBody,
  headers: Headers,
  sender: string,
  stores: Stores,
): Promise<Kept | undefined> {
  const sentWith = { contentType: headers.get('Content-Type'), idempotencyKey: idempotencyKeyOf(headers) };
  try {
    const { line, rejectionId, rejectedAt } = await rejectionOf(refusal, received, sentWith, sender);
    const partition = partitionOf(rejectedAt);
    const durable = await makeDurable(line, () => objectKey('rejected', partition, rejectionId), stores);
    if (durable.ok) return { rejectionId, storedIn: durable.value };
    stores.background.waitUntil(keepTrying(line, partition, stores));
  } catch (error) {
    logError('refused_body_lost', error, { reason: refusal.reason });
  }
  return undefined;
}

interface SentWith {
  readonly contentType: string | null;
  readonly idempotencyKey: string | null;
}

/** Builds the line that records a refused body. */
export async function rejectionOf(
  refusal: Refusal,
  received: ReceivedBody,
  { contentType, idempotencyKey }: SentWith,
  sender: string,
): Promise<{ readonly line: RejectionLine; readonly rejectionId: string; readonly rejectedAt: Date }> {
  const { status, slug } = problemTypeOf(refusal);
  const errors = refusal.reason === 'invalid_event' ? refusal.breach.errors : [];
  const id = uuidv7();
  const rejection: Rejection = {
    rejection_id: id,
    rejected_at: timeOf(id).toISOString(),
    sender,
    status,
    problem: slug,
    reason: refusal.reason,
    errors: errors.map(({ field, code }) => ({ field: field.wire, code })),
    content_type: contentType,
    content_encoding: received.encoding || null,
    idempotency_key: idempotencyKey,
    body_fingerprint: await fingerprintOfBytes(received.bytes),
    truncated: received.ending !== 'whole',
    ...asText(received.bytes),
  };
  return { line: toRejectionLine(rejection), rejectionId: id, rejectedAt: timeOf(id) };
}

// Keeps a byte order mark, so that the text encodes to exactly these bytes.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The bytes as text where a line can hold it unchanged, else as base64. Only U+0000 cannot be held unchanged. */
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

/**
 * Retries storing refused bodies, for as long as the platform lets a request continue. Does not throw.
 *
 * @param message - Lines of one partition. The log names the first.
 */
export async function keepTrying(message: string, partition: string, stores: Stores): Promise<void> {
  const id = recordIdOf(message as RejectionLine);
  for (const delayMs of LATE_DELAYS_MS) {
    await new Promise<void>((resolve) => setTimeout(() => resolve(), delayMs));
    // A new key for each attempt, since an attempt that seemed to fail may have created its object.
    const durable = await makeDurable(message, () => objectKey('rejected', partition, uuidv7()), stores);
    if (durable.ok) return log('refused_body_kept_late', { rejection_id: id, stored_in: durable.value });
  }
  logError('refused_body_lost', new Error('No store has confirmed it'), { rejection_id: id });
}
