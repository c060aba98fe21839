/** A batch of lines to where they rest: events to `landing/`, refused bodies to `rejected/`. */

import { log } from '../log.ts';
import type { ObjectCreator } from '../storage/create-object.ts';
import { bury } from './bury.ts';
import type { Cargo } from './cargo.ts';
import { type Delivery, type Item, writeThenSettle } from './write-then-settle.ts';

/**
 * Lands a batch. A message that is no line of this cargo goes to `dead-letter/` at once, since no attempt would ever
 * turn it into one; its neighbours land.
 */
export async function land(
  cargo: Cargo,
  queue: string,
  deliveries: readonly Delivery[],
  bucket: ObjectCreator,
): Promise<void> {
  const items: Item[] = [];
  const strangers: Delivery[] = [];
  for (const delivery of deliveries) {
    const line = cargo.read(delivery.body);
    if (line === undefined) strangers.push(delivery);
    else items.push({ delivery, ...line });
  }
  const [objects] = await Promise.all([writeThenSettle(bucket, cargo.prefix, items), bury(queue, strangers, bucket)]);
  log('landed', { queue, messages: deliveries.length, objects, strangers: strangers.length });
}
