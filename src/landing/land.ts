/** A batch of lines to `landing/`. */

import { log } from '../log.ts';
import type { ObjectCreator } from '../storage/create-object.ts';
import { timeOf } from '../storage/event-id.ts';
import { eventIdOf, isLine } from '../storage/line.ts';
import { bury } from './bury.ts';
import { type Delivery, type Item, writeThenSettle } from './write-then-settle.ts';

/**
 * Lands a batch. A message that is no line of ours goes to `dead-letter/` at once, since no attempt would ever turn it
 * into one; its neighbours land.
 */
export async function land(queue: string, deliveries: readonly Delivery[], bucket: ObjectCreator): Promise<void> {
  const items: Item[] = [];
  const strangers: Delivery[] = [];
  for (const delivery of deliveries) {
    const { body } = delivery;
    if (isLine(body)) items.push({ delivery, line: body, receivedAt: timeOf(eventIdOf(body)) });
    else strangers.push(delivery);
  }
  const [objects] = await Promise.all([writeThenSettle(bucket, 'landing', items), bury(queue, strangers, bucket)]);
  log('landed', { queue, messages: deliveries.length, objects, strangers: strangers.length });
}
