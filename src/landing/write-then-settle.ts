/** Writing messages to R2, one object for each partition, and only then telling the queue. */

import { logError } from '../log.ts';
import { createObject, type ObjectCreator } from '../storage/create-object.ts';
import { newEventId } from '../storage/event-id.ts';
import { objectKey, type Prefix, partitionOf } from '../storage/keys.ts';
import { retryDelaySeconds } from './schedule.ts';

/** What is needed of a message of the queue; a Message is one. */
export interface Delivery {
  readonly id: string;
  readonly timestamp: Date;
  readonly attempts: number;
  readonly body: unknown;
  ack(): void;
  retry(options: { readonly delaySeconds: number }): void;
}

/** A message, the line that is to be written for it, and the time of receipt that decides where. */
export interface Item {
  readonly delivery: Delivery;
  readonly line: string;
  readonly receivedAt: Date;
}

/**
 * Creates one object for each partition, then acknowledges the messages in it. When a write fails, its messages are
 * tried again later. It does not throw: what one partition has settled must stay settled.
 *
 * @returns The number of objects that were to be written.
 */
export async function writeThenSettle(bucket: ObjectCreator, prefix: Prefix, items: readonly Item[]): Promise<number> {
  const partitions = Map.groupBy(items, ({ receivedAt }) => partitionOf(receivedAt));
  await Promise.all(
    Array.from(partitions, ([partition, group]) =>
      writeGroup(bucket, objectKey(prefix, partition, newEventId()), group),
    ),
  );
  return partitions.size;
}

async function writeGroup(bucket: ObjectCreator, key: string, items: readonly Item[]): Promise<void> {
  try {
    await createObject(
      bucket,
      key,
      items.map(({ line }) => line),
    );
  } catch (error) {
    logError('write_failed', error, { key, messages: items.length });
    for (const { delivery } of items) {
      delivery.retry({ delaySeconds: retryDelaySeconds(delivery.attempts, Math.random()) });
    }
    return;
  }
  for (const { delivery } of items) delivery.ack();
}
