/** The erasure of a guest: the request, and the record of its progress. Neither holds a value of the guest. Pure. */

import * as v from 'valibot';
import { timestamp, wholeNumber } from '../contract/kinds.ts';
import { uuidV7Text } from '../contract/uuid-v7.ts';
import { partKey } from './log-entry.ts';

/** How long a queue keeps a message, in days (Queues, Limits). The period starts again in the dead-letter queue. */
const QUEUE_DAYS = 14;

/**
 * Maximum retention of refused bodies and unreadable objects, in days: the law gives a month to answer a guest (GDPR,
 * article 12). Until then a refused body may be replayed, which publishes it.
 */
export const MAX_KEPT_DAYS = 30;

/**
 * Retention of a request, in days: as long as something received before it can still be published, through a queue, its
 * dead-letter queue and a replay, plus two days for work in progress.
 */
export const REQUEST_KEPT_DAYS = 2 * QUEUE_DAYS + MAX_KEPT_DAYS + 2;

const digest = v.pipe(v.string(), v.regex(/^[\da-f]{32}$/));

/**
 * The content of `erasures/requests/<erasure_id>.json`: created once, deleted when no data of the guest can arrive any
 * more.
 */
export const ErasureRequestSchema = v.object({
  /** UUIDv7. */
  erasure_id: uuidV7Text,
  requested_at: timestamp,
  /**
   * Rows received up to this time are erased, and so are rows received later whose `occurred_at` is not later than it,
   * such as a replayed refused body. A guest who returns afterwards is not erased.
   */
  received_through: timestamp,
  /** The last sequence of the part log when the search began; later parts are searched again. */
  log_through: wholeNumber,
  /** `keyCheckOf()` of the digest that produced `digests`. */
  key_check: digest,
  /** Keyed digests of the guest's identifiers. */
  digests: v.pipe(v.array(digest), v.minLength(1)),
  /**
   * The rows that the search found in `events/`: the guest's own stays, and rows of others that name the guest in a
   * comment or in `extra`.
   */
  parts: v.array(
    v.pipe(
      v.object({ key: partKey, event_ids: v.array(uuidV7Text), named_in: v.array(uuidV7Text) }),
      v.check(({ event_ids, named_in }) => event_ids.length + named_in.length > 0, 'a part without rows'),
    ),
  ),
});

export type ErasureRequest = v.InferOutput<typeof ErasureRequestSchema>;

/**
 * The stages, in this order: the parts of the request; then, once no run is active that started without knowing the
 * request, the parts added since the search began; then the table, until it no longer shows any of the rows unerased.
 */
const ERASURE_STAGES = ['parts', 'newer_parts', 'table', 'finished'] as const;

/** The content of `erasures/records/<erasure_id>.json`, which the controller keeps on file. It is never deleted. */
export const ErasureRecordSchema = v.object({
  erasure_id: uuidV7Text,
  requested_at: timestamp,
  received_through: timestamp,
  stage: v.picklist(ERASURE_STAGES),
  /** How many parts or log entries this stage has processed; for `table`, where the log ended when the stage began. */
  done: wholeNumber,
  updated_at: timestamp,
  /** Null until finished. Rows that still wait in a queue are erased when they are published. */
  finished_at: v.nullable(timestamp),
  /** The rewritten parts, and how many rows were erased in each. */
  parts: v.array(v.object({ key: partKey, replaces: partKey, rows: wholeNumber })),
  /** The parts in which rows were erased before publication. */
  caught: v.array(v.object({ key: partKey, rows: wholeNumber })),
  /** Parts that the request names but that no longer exist and were not replaced: somebody has deleted them. */
  missing: v.array(v.string()),
});

/** The progress of an erasure. Times are `YYYY-MM-DDTHH:MM:SS.sssZ`. */
export type ErasureRecord = v.InferOutput<typeof ErasureRecordSchema>;
