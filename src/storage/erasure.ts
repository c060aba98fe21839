/** Erasing a guest: what is asked for, and what is known of how far it has come. Neither holds a value of the guest. Pure. */

import * as v from 'valibot';
import { timestamp } from '../contract/kinds.ts';
import { partKey } from './log-entry.ts';
import { eventId } from './published-object.ts';

const erasureId = eventId;
const digest = v.pipe(v.string(), v.regex(/^[\da-f]{32}$/));
const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

/** The key of an object whose lines are removed. */
const removingKey = v.pipe(v.string(), v.regex(/^(?:rejected|dead-letter|unreadable)\/./));

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
  /** When the search began: objects that were written since are searched once more. */
  searched_from: timestamp,
  /** The last sequence of the log of parts when the search began: parts after it are searched once more. */
  log_through: count,
  /** `keyCheckOf()` of the digest by which `digests` were made. */
  key_check: digest,
  /** Keyed digests of the identifiers of the guest. */
  digests: v.pipe(v.array(digest), v.minLength(1)),
  /** The rows that the search has found in `events/`. */
  parts: v.array(v.object({ key: partKey, event_ids: v.pipe(v.array(eventId), v.minLength(1)) })),
  /** The lines that it has found elsewhere, counted from 0. */
  objects: v.array(v.object({ key: removingKey, lines: v.pipe(v.array(count), v.minLength(1)) })),
});

/** A request to erase a guest. */
export type ErasureRequest = v.InferOutput<typeof ErasureRequestSchema>;

/**
 * What is being done, in this order: the parts and the objects of the request; then, once no run is under way that began
 * without knowing the request, what was written since the search began; then the table.
 */
const ERASURE_STAGES = ['parts', 'objects', 'newer_parts', 'newer_objects', 'table', 'finished'] as const;

/** What `erasures/records/<erasure_id>.json` says, for the files of the controller. It is kept. */
export const ErasureRecordSchema = v.object({
  erasure_id: erasureId,
  requested_at: timestamp,
  received_through: timestamp,
  stage: v.picklist(ERASURE_STAGES),
  /** How many parts, objects or entries of the log this stage has done; for `table`, how far the log went before. */
  done: count,
  /** The last object that was searched in `newer_objects`; null before. */
  searched: v.nullable(v.string()),
  updated_at: timestamp,
  /** Null until then. What still waits in a queue is erased when it comes out. */
  finished_at: v.nullable(timestamp),
  /** The parts that were rewritten, and how many rows were erased in each. */
  parts: v.array(v.object({ key: partKey, replaces: partKey, rows: count })),
  /** The objects that lines were removed from, and how many; `key` is null when no other line was in it. */
  objects: v.array(v.object({ key: v.nullable(removingKey), replaces: removingKey, lines: count })),
  /** The parts in which rows were erased before they were published. */
  caught: v.array(v.object({ key: partKey, rows: count })),
  /** What the request names and is not there, and nothing in its place: somebody has deleted it. */
  missing: v.array(v.string()),
});

/** How far an erasure has come. Times are `YYYY-MM-DDTHH:MM:SS.sssZ`. */
export type ErasureRecord = v.InferOutput<typeof ErasureRecordSchema>;
