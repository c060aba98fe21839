/** Moving the watermark. */

import { LANDING_PARTITIONS, partitionIn, REPLAYED, startOf, WATERMARK_KEY } from '../storage/keys.ts';
import { type Watermark, WatermarkSchema } from '../storage/watermark.ts';
import { type Bucket, listAll } from './bucket.ts';
import { LIMITS } from './limits.ts';
import { readState, writeState } from './state.ts';

/** What is asked of a queue; a Queue is one. */
interface Backlogged {
  metrics(): Promise<{ readonly backlogCount: number; readonly oldestMessageTimestamp?: Date | number }>;
}

/** The two queues that an event can wait in. */
export interface Queues {
  readonly events: Backlogged;
  readonly deadLetters: Backlogged;
}

/**
 * Moves the watermark as far as is certain, and never back.
 *
 * The places where an event can be are looked at in the order in which it passes through them, so that one which moves
 * on meanwhile is met at its next place: requests under way, the queue, the dead-letter queue, `landing/`.
 *
 * @param now - Milliseconds since 1970; too early is safe, too late is not.
 * @returns The watermark as it stands, or undefined while nothing is certain yet.
 */
export async function moveWatermark(bucket: Bucket, queues: Queues, now: number): Promise<Watermark | undefined> {
  const remedy = 'delete it to have it made anew';
  const { value: before, etag } = await readState(bucket, WATERMARK_KEY, WatermarkSchema, remedy);
  const queued = await oldestQueued(queues, now);
  const landed = await oldestLanded(bucket);
  const certain = Math.min(now - LIMITS.settleMs, queued - LIMITS.settleMs, landed);
  const moment = Math.max(
    certain,
    before === undefined ? Number.NEGATIVE_INFINITY : Date.parse(before.complete_through),
  );
  if (moment === Number.NEGATIVE_INFINITY) return undefined;

  const watermark: Watermark = {
    complete_through: new Date(moment).toISOString(),
    dead_letters: await countDeadLetters(bucket, moment),
    updated_at: new Date(now).toISOString(),
  };
  const same =
    before?.complete_through === watermark.complete_through && before.dead_letters === watermark.dead_letters;
  if (same) return before;
  // When another run has written in between, its word is as good as this one: both are true for ever.
  await writeState(bucket, WATERMARK_KEY, watermark, etag);
  return watermark;
}

/**
 * Since when something has been waiting in a queue, `now` when nothing is. A backlog counts what is not acknowledged,
 * deliveries under way and delayed retries included. Nothing is certain while dead letters wait, since they may be of
 * any age, or while a queue does not say how old its oldest message is.
 */
async function oldestQueued({ events, deadLetters }: Queues, now: number): Promise<number> {
  const queue = await events.metrics();
  const dead = await deadLetters.metrics();
  if (dead.backlogCount > 0) return Number.NEGATIVE_INFINITY;
  if (queue.backlogCount === 0) return now;
  const oldest = Number(queue.oldestMessageTimestamp ?? 0);
  return oldest > 0 ? oldest : Number.NEGATIVE_INFINITY;
}

/** The start of the first hour that has anything left in `landing/`. What lies there in no hour is none of ours. */
async function oldestLanded(bucket: Pick<Bucket, 'list'>): Promise<number> {
  for await (const { key } of listAll(bucket, { prefix: LANDING_PARTITIONS })) {
    const partition = partitionIn(key);
    if (partition !== undefined) return startOf(partition);
  }
  return Number.POSITIVE_INFINITY;
}

/** Messages in `dead-letter/` that were not replayed. */
async function countDeadLetters(bucket: Pick<Bucket, 'list'>, before: number): Promise<number> {
  const letters = new Map<string, number>();
  for await (const { key, customMetadata } of listAll(bucket, {
    prefix: 'dead-letter/dt=',
    include: ['customMetadata'],
  })) {
    const partition = partitionIn(key);
    if (partition !== undefined && startOf(partition) < before) letters.set(key, Number(customMetadata?.rows ?? 1));
  }
  if (letters.size > 0) {
    for await (const { key } of listAll(bucket, { prefix: `${REPLAYED}dead-letter/` }))
      letters.delete(key.slice(REPLAYED.length));
  }
  return letters.values().reduce((sum, rows) => sum + rows, 0);
}
