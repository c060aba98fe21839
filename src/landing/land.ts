/** A batch of lines to where they rest: events to `landing/`, refused bodies to `rejected/`. */

import type { ObjectCreator } from '../storage/create-object.ts';
import { bury } from './bury.ts';
import type { Cargo } from './cargo.ts';
import { type Delivery, type Item, type Settled, writeThenSettle } from './write-then-settle.ts';

/** What became of a batch: the lines of the cargo, and the strangers among them. */
export interface Landed {
  readonly landed: Settled;
  readonly buried: Settled;
}

/**
 * Lands a batch. A message that is no line of this cargo goes to `dead-letter/` at once, since no attempt would ever
 * turn it into one; its neighbours land.
 */
export async function land(
  cargo: Cargo,
  queue: string,
  deliveries: readonly Delivery[],
  bucket: ObjectCreator,
): Promise<Landed> {
  const items: Item[] = [];
  const strangers: Delivery[] = [];
  for (const delivery of deliveries) {
    const line = cargo.read(delivery.body);
    if (line === undefined) strangers.push(delivery);
    else items.push({ delivery, ...line });
  }
  const [landed, buried] = await Promise.all([
    writeThenSettle(bucket, cargo.prefix, items),
    bury(queue, strangers, bucket),
  ]);
  return { landed, buried };
}
