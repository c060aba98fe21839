/** Writes messages to R2, one object for each partition, and only then acknowledges them. */

import { createObject, type ObjectCreator } from '../storage/create-object.ts';
import { uuidv7 } from '../storage/event-id.ts';
import { objectKey, type Prefix, partitionOf } from '../storage/keys.ts';
import { logError } from '../telemetry/log.ts';
import { type QueueStage, retryDelaySeconds } from './schedule.ts';

/** The part of `Message` that is used here. */
export interface Delivery {
  readonly id: string;
  readonly timestamp: Date;
  readonly attempts: number;
  readonly body: unknown;
  ack(): void;
  retry(options: { readonly delaySeconds: number }): void;
}

/** The part of `MessageBatch` that is used here. */
export interface Batch {
  readonly queue: string;
  readonly messages: readonly Delivery[];
}

/** A message, the lines to write for it, and the time of receipt, which determines the partition. */
export interface Item {
  readonly delivery: Delivery;
  readonly lines: readonly string[];
  readonly receivedAt: Date;
}

export interface Settled {
  /** Lines that were written to R2, and whose messages are acknowledged. */
  readonly written: number;
  readonly retried: number;
  readonly objects: number;
}

/**
 * Creates one object for each partition, then acknowledges the messages in it. When a write fails, its messages are
 * retried later. Does not throw: messages that one partition has settled must stay settled.
 */
export async function writeThenSettle(
  bucket: ObjectCreator,
  prefix: Prefix,
  stage: QueueStage,
  items: readonly Item[],
): Promise<Settled> {
  const settled = { written: 0, retried: 0, objects: 0 };
  const partitions = Map.groupBy(items, ({ receivedAt }) => partitionOf(receivedAt));
  await Promise.all(
    Array.from(partitions, async ([partition, group]) => {
      const lines = group.flatMap((item) => item.lines);
      const isWritten = await writeGroup(bucket, objectKey(prefix, partition, uuidv7()), stage, group, lines);
      settled[isWritten ? 'written' : 'retried'] += lines.length;
      settled.objects += Number(isWritten);
    }),
  );
  return settled;
}

async function writeGroup(
  bucket: ObjectCreator,
  key: string,
  stage: QueueStage,
  items: readonly Item[],
  lines: readonly string[],
): Promise<boolean> {
  try {
    await createObject(bucket, key, lines);
  } catch (error) {
    logError('write_failed', error, { key, messages: items.length });
    for (const { delivery } of items) {
      delivery.retry({ delaySeconds: retryDelaySeconds(stage, delivery.attempts, Math.random()) });
    }
    return false;
  }
  for (const { delivery } of items) delivery.ack();
  return true;
}
