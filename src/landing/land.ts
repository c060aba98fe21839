/** Writes a batch of messages: events to `landing/`, refused bodies to `rejected/`, the rest to `dead-letter/`. */

import type { ObjectCreator } from '../storage/create-object.ts';
import { logError } from '../telemetry/log.ts';
import { type Carried, classify } from './classify.ts';
import { writeDeadLetters } from './dead-letters.ts';
import type { QueueStage } from './schedule.ts';
import { type Delivery, type Item, writeThenSettle } from './write-then-settle.ts';

export interface Origin {
  readonly queue: string;
  readonly stage: QueueStage;
  /** The kind of line that the queue is for. A line of the other kind lands too, but shows a configuration error. */
  readonly carries: Carried['prefix'];
}

/** The result of a batch: the lines written to each place, the lines to be retried, and the objects created. */
export interface Landed {
  readonly landed: number;
  readonly rejected: number;
  readonly dead_lettered: number;
  readonly retried: number;
  readonly objects: number;
}

/**
 * Lands a batch of a queue or of its dead-letter queue: a line that could not be written for a day is still a line.
 * Unrecognised messages come last, after every line is settled, so that they cannot delay an event.
 */
export async function land(
  { queue, stage, carries }: Origin,
  deliveries: readonly Delivery[],
  bucket: ObjectCreator,
): Promise<Landed> {
  const lines: Record<Carried['prefix'], Item[]> = { landing: [], rejected: [] };
  const unrecognised: Delivery[] = [];
  for (const delivery of deliveries) {
    const carried = classify(delivery.body);
    if (carried === undefined) unrecognised.push(delivery);
    else lines[carried.prefix].push({ delivery, ...carried });
  }
  const misrouted = lines[carries === 'landing' ? 'rejected' : 'landing'].length;
  if (misrouted > 0) {
    const why =
      'another kind of line than this queue is for; compare the queues of producers and consumers in wrangler.toml';
    logError('line_on_wrong_queue', new Error(`${queue} delivered ${why}`), { queue, messages: misrouted });
  }
  const [landed, rejected] = await Promise.all([
    writeThenSettle(bucket, 'landing', stage, lines.landing),
    writeThenSettle(bucket, 'rejected', stage, lines.rejected),
  ]);
  const deadLettered = await writeDeadLetters(queue, stage, unrecognised, bucket);
  return {
    landed: landed.written,
    rejected: rejected.written,
    dead_lettered: deadLettered.written,
    retried: landed.retried + rejected.retried + deadLettered.retried,
    objects: landed.objects + rejected.objects + deadLettered.objects,
  };
}
