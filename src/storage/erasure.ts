/** Erasing a guest: what is asked for, and what is known of how far it has come. Neither holds a value of the guest. Pure. */

import * as v from 'valibot';
import { timestamp } from '../contract/kinds.ts';
import { eventId, partKey } from './log-entry.ts';

/** How long a queue keeps a message, in days (Queues, Limits). In its dead-letter queue that time begins anew. */
const QUEUE_DAYS = 14;

/**
 * How long refused bodies and what cannot be read are kept at most, in days: the law gives a month to answer a guest
 * (GDPR, article 12). Until then somebody may replay a refused body, which publishes it.
 */
export const MAX_KEPT_DAYS = 30;

/**
 * How long a request stays, in days: as long as anything that was received before can come to be published, by a queue,
 * its dead-letter queue and a replay, and two days more for what is under way.
 */
export const REQUEST_KEPT_DAYS = 2 * QUEUE_DAYS + MAX_KEPT_DAYS + 2;

const erasureId = eventId;
const digest = v.pipe(v.string(), v.regex(/^[\da-f]{32}$/));
const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

/** What `erasures/requests/<erasure_id>.json` says: created once, and deleted when nothing of the guest can come any more. */
export const ErasureRequestSchema = v.object({
  /** UUIDv7. */
  erasure_id: erasureId,
  requested_at: timestamp,
  /**
   * What was received up to then is erased, and what came later but happened up to then, as `occurred_at` says: a
   * refused body that is replayed. A guest who comes again afterwards is not erased.
   */
  received_through: timestamp,
  /** The last sequence of the log of parts when the search began: parts after it are searched once more. */
  log_through: count,
  /** `keyCheckOf()` of the digest by which `digests` were made. */
  key_check: digest,
  /** Keyed digests of the identifiers of the guest. */
  digests: v.pipe(v.array(digest), v.minLength(1)),
  /**
   * The rows that the search has found in `events/`: the stays of the guest, and rows of others in which the guest is
   * named in a comment or in `extra`.
   */
  parts: v.array(
    v.pipe(
      v.object({ key: partKey, event_ids: v.array(eventId), named_in: v.array(eventId) }),
      v.check(({ event_ids, named_in }) => event_ids.length + named_in.length > 0, 'a part without rows'),
    ),
  ),
});

export type ErasureRequest = v.InferOutput<typeof ErasureRequestSchema>;

/**
 * What is being done, in this order: the parts of the request; then, once no run is under way that began without knowing
 * the request, the parts that came since the search began; then the table, until it shows none of the rows as they were.
 */
const ERASURE_STAGES = ['parts', 'newer_parts', 'table', 'finished'] as const;

/** What `erasures/records/<erasure_id>.json` says, for the files of the controller. It is kept. */
export const ErasureRecordSchema = v.object({
  erasure_id: erasureId,
  requested_at: timestamp,
  received_through: timestamp,
  stage: v.picklist(ERASURE_STAGES),
  /** How many parts or entries of the log this stage has done; for `table`, how far the log went before. */
  done: count,
  updated_at: timestamp,
  /** Null until then. What still waits in a queue is erased when it comes out. */
  finished_at: v.nullable(timestamp),
  /** The parts that were rewritten, and how many rows were erased in each. */
  parts: v.array(v.object({ key: partKey, replaces: partKey, rows: count })),
  /** The parts in which rows were erased before they were published. */
  caught: v.array(v.object({ key: partKey, rows: count })),
  /** What the request names and is not there, and nothing in its place: somebody has deleted it. */
  missing: v.array(v.string()),
});

/** How far an erasure has come. Times are `YYYY-MM-DDTHH:MM:SS.sssZ`. */
export type ErasureRecord = v.InferOutput<typeof ErasureRecordSchema>;
