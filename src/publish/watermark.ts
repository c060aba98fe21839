/** Moving the watermark. */

import * as v from 'valibot';
import type { Bucket } from '../storage/bucket.ts';
import type { Clock } from '../storage/clock.ts';
import { startOf, WATERMARK_KEY } from '../storage/keys.ts';
import { listAll } from '../storage/many-objects.ts';
import { readState, swapState } from '../storage/state.ts';
import { type Watermark, WatermarkSchema } from '../storage/watermark.ts';
import { logError } from '../telemetry/log.ts';
import { publishedSince, type Since } from './late-events.ts';
import { openPartitions } from './lease.ts';
import { oldestLanded } from './oldest-landed.ts';
import { certainBound, NO_READINGS, type Queues, type Readings, ReadingsSchema, readQueues } from './readings.ts';

const STATE_KEY = 'publish/watermark.json';

const WatermarkStateSchema = v.object({
  readings: ReadingsSchema,
  /** The last watermark; null until the first is certain. */
  watermark: v.nullable(WatermarkSchema),
  /** When the unrecognised messages were last counted, in milliseconds since 1970. */
  messages_counted_at: v.number(),
});

type WatermarkState = v.InferOutput<typeof WatermarkStateSchema>;

export interface Moved extends Pick<Readings, 'without_age' | 'without_age_since'> {
  /** The watermark that was written; undefined while nothing is certain, or when another run wrote first. */
  readonly watermark: Watermark | undefined;
}

const INITIAL: WatermarkState = { readings: NO_READINGS, watermark: null, messages_counted_at: 0 };

/** How often the unrecognised messages are counted, which lists all their objects. In milliseconds. */
const COUNT_INTERVAL_MS = 10 * 60_000;

/**
 * Moves the watermark as far as is certain, and never back.
 *
 * The places where an event can be are examined in the order in which it passes through them, so that an event that
 * moves on meanwhile is met at its next place: the queue, the dead-letter queue, `landing/`, the open parts, the log of
 * `events/`.
 *
 * Two objects are written, each from the state that was read: first the collected state, then the published watermark.
 * They are read in the reverse order, so that of two runs the one that knows less never has the last word.
 *
 * @param now - Milliseconds since 1970; too early is safe, too late is not.
 */
export async function moveWatermark(bucket: Bucket, queues: Queues, clock: Clock, now: number): Promise<Moved> {
  const published = await readState(bucket, WATERMARK_KEY, WatermarkSchema);
  const { value: state = INITIAL, ...last } = await readState(bucket, STATE_KEY, WatermarkStateSchema);
  const before = state.watermark ?? published.value;

  const readings = await readQueues(state.readings, queues, now);
  const landed = await oldestLanded(bucket);
  // A delayed run may have deleted the sources of a part that is not in the log yet.
  const open = (await openPartitions(bucket)).map(startOf);
  const since = await publishedSince(bucket, before);
  const bound = certainBound(readings, now);
  const certain = bound === undefined ? Number.NEGATIVE_INFINITY : Math.min(bound, landed, ...open);
  const through = Math.max(certain, before === undefined ? certain : Date.parse(before.complete_through));

  const count = before === undefined || now - state.messages_counted_at >= COUNT_INTERVAL_MS;
  const watermark = Number.isFinite(through)
    ? await composeWatermark(bucket, through, before, since, count, now)
    : null;
  const messages_counted_at = count ? now : state.messages_counted_at;
  const next: WatermarkState = { readings, watermark, messages_counted_at };
  const { without_age, without_age_since } = readings;
  const moved = { without_age, without_age_since, watermark: undefined };
  if ((await swapState(bucket, STATE_KEY, next, last, clock)) === undefined || watermark === null) return moved;
  if ((await swapState(bucket, WATERMARK_KEY, watermark, published, clock)) === undefined) return moved;
  reportLate(published.value?.late_events ?? 0, watermark);
  return { ...moved, watermark };
}

async function composeWatermark(
  bucket: Bucket,
  through: number,
  before: Watermark | undefined,
  { sequence, late, lastLateAt }: Since,
  count: boolean,
  now: number,
): Promise<Watermark> {
  return {
    complete_through: new Date(through).toISOString(),
    unrecognised_messages:
      before === undefined || count ? await countUnrecognised(bucket) : before.unrecognised_messages,
    late_events: (before?.late_events ?? 0) + late,
    last_late_at: lastLateAt ?? before?.last_late_at ?? null,
    log_sequence: sequence,
    updated_at: new Date(now).toISOString(),
  };
}

/** Counts the messages in `dead-letter/` by the metadata of their objects. */
async function countUnrecognised(bucket: Pick<Bucket, 'list'>): Promise<number> {
  let total = 0;
  const listed = listAll(bucket, { prefix: 'dead-letter/dt=', include: ['customMetadata'] });
  for await (const { customMetadata } of listed) total += Number(customMetadata?.rows) || 1;
  return total;
}

/** Logs newly found late events, including those found by a run that did not get to log them. */
function reportLate(
  published: number,
  { late_events: late, last_late_at: at, complete_through: through }: Watermark,
): void {
  if (late <= published) return;
  const error = new Error(
    'Events were published behind the watermark; what was computed up to complete_through before lacks them, compute it again',
  );
  logError('late_events', error, {
    late_events: late,
    new_late_events: late - published,
    last_late_at: at,
    complete_through: through,
  });
}
