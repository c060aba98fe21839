/**
 * The schema of a stored event, the single source of the contract. Types, column lists, wire names and everything that
 * restates the contract are derived from it. Pure.
 */

import * as v from 'valibot';
import { count, date, guestId, guestText, language, nationality, oneOf, personal, text, timestamp } from './kinds.ts';
import { EVENT_TYPES, RESERVATION_ORIGINS, RESERVATION_PURPOSES, RESERVATION_STATES } from './values.ts';

/**
 * The reservation columns, in the order in which they are written. A nullable column is an optional field. A new schema
 * version may add columns, but never renames, moves or removes one.
 */
export const ReservationSchema = v.strictObject({
  integration_id: text,
  property_id: text,
  event_type: oneOf(EVENT_TYPES),
  reservation_state: oneOf(RESERVATION_STATES),
  assigned_resource_number: text,
  start_utc: timestamp,
  end_utc: timestamp,
  reservation_id: v.nullable(text),
  reservation_origin: v.nullable(oneOf(RESERVATION_ORIGINS)),
  reservation_purpose: v.nullable(oneOf(RESERVATION_PURPOSES)),
  rate_id: v.nullable(text),
  meal_plan: v.nullable(text),
  room_type_id: v.nullable(text),
  customer_id: guestId,
  first_name: guestText,
  last_name: guestText,
  email: guestId,
  phone: guestId,
  nationality_code: v.pipe(v.nullable(nationality), personal('kept')),
  loyalty_code: guestId,
  preferred_language: v.pipe(v.nullable(language), personal('kept')),
  staff_comment: guestText,
  created_utc: v.nullable(timestamp),
  birth_date: v.pipe(v.nullable(date), personal('null')),
  adult_counts: v.nullable(count),
  child_counts: v.nullable(count),
});

export type Reservation = v.InferOutput<typeof ReservationSchema>;

/**
 * The columns that a PMS fills. The time of an event belongs to the event, not to the reservation: the same reservation
 * sent again with a new time has the same content.
 */
export const EventSchema = v.strictObject({
  ...ReservationSchema.entries,
  occurred_at: v.pipe(v.nullable(timestamp), v.metadata({ wire: 'UpdatedUtc' })),
});

/** The name of a column that a PMS fills. */
export type EventColumn = keyof v.InferOutput<typeof EventSchema>;
