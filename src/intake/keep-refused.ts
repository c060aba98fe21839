/** Bodies that were refused, kept in `rejected/` for somebody to look at and replay. */

import { logError } from '../log.ts';
import { objectKey, partitionOf } from '../storage/keys.ts';
import { toRejectionLine } from '../storage/line.ts';
import type { AcceptFailure } from './accept.ts';
import { keepTrying } from './keep-trying.ts';
import { type DurablePath, makeDurable, type Stores } from './make-durable.ts';
import { describe } from './problem.ts';
import type { ReceivedBody } from './received-body.ts';
import { buildRejection } from './rejection.ts';

/** A refused body that is stored. */
export interface Kept {
  readonly rejectionId: string;
  readonly path: DurablePath;
}

/**
 * Keeps the body of an authenticated request that is being refused. The answer waits for it as long as it would for an
 * event, and is the same whether or not it can be kept.
 *
 * @returns Where it was kept, or undefined when no store has confirmed in time. It is then tried again after the answer,
 * and the log says how that ended.
 */
export async function keepRefused(
  refusal: AcceptFailure,
  received: ReceivedBody,
  headers: Headers,
  sender: string,
  stores: Stores,
): Promise<Kept | undefined> {
  try {
    const rejection = await buildRejection(refusal, describe(refusal), received, headers, sender);
    const { rejection_id: rejectionId, rejected_at: rejectedAt } = rejection;
    const key = objectKey('rejected', partitionOf(new Date(rejectedAt)), rejectionId);
    const line = toRejectionLine(rejection);
    const durable = await makeDurable(line, key, stores);
    if (durable.ok) return { rejectionId, path: durable.value };
    stores.background.waitUntil(keepTrying(line, stores));
  } catch (error) {
    logError('refused_body_lost', error, { reason: refusal.reason });
  }
  return undefined;
}
