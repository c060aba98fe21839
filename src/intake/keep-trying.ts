/** A refused body that no store confirmed while the sender waited, tried again after the answer. */

import { log, logError } from '../log.ts';
import { newEventId, timeOf } from '../storage/event-id.ts';
import { objectKey, partitionOf } from '../storage/keys.ts';
import { type RejectionLine, rejectionIdOf } from '../storage/line.ts';
import { LATE_DELAYS_MS } from './limits.ts';
import { makeDurable, type Stores } from './make-durable.ts';

/** Tries a few times more, for as long as the platform lets a request go on. It does not throw. */
export async function keepTrying(line: RejectionLine, stores: Stores): Promise<void> {
  const id = rejectionIdOf(line);
  for (const delayMs of LATE_DELAYS_MS) {
    await new Promise<void>((resolve) => setTimeout(() => resolve(), delayMs));
    // With a name of its own, since an attempt that seemed to fail may have taken the one before.
    const key = objectKey('rejected', partitionOf(timeOf(id)), newEventId());
    const durable = await makeDurable(line, key, stores);
    if (durable.ok) return log('refused_body_kept_late', { rejection_id: id, path: durable.value });
  }
  logError('refused_body_lost', new Error('No store has confirmed it'), { rejection_id: id });
}
