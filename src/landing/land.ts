/** A batch of messages to where they rest: events to `landing/`, refused bodies to `rejected/`, the rest to `dead-letter/`. */

import type { ObjectCreator } from '../storage/create-object.ts';
import { logError } from '../telemetry/log.ts';
import { type Carried, classify } from './classify.ts';
import { writeDeadLetters } from './dead-letters.ts';
import type { Stage } from './schedule.ts';
import { type Delivery, type Item, type Settled, writeThenSettle } from './write-then-settle.ts';

/** A queue as its consumer knows it. */
export interface Origin {
  readonly queue: string;
  readonly stage: Stage;
  /** What it is there for. A line of the other kind lands as well, and is an error in the configuration. */
  readonly carries: Carried['prefix'];
}

/** What became of a batch, by where its messages went. */
export interface Landed {
  readonly landed: Settled;
  readonly rejected: Settled;
  readonly dead_lettered: Settled;
}

/**
 * Lands a batch, from a queue and from its dead-letter queue alike: a line that could not be written for a day is still
 * a line. Unrecognised messages come last, when every line is settled, so that nothing in them can hold up an event.
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
  return { landed, rejected, dead_lettered: await writeDeadLetters(queue, stage, unrecognised, bucket) };
}
