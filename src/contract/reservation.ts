/**
 * What is stored of a reservation: the one source of the contract. Types, column lists, wire names and everything that
 * restates the contract are derived from this schema. Pure.
 */

import * as v from 'valibot';
import { count, date, language, nationality, oneOf, text, timestamp } from './kinds.ts';
import { EVENT_TYPES, RESERVATION_ORIGINS, RESERVATION_PURPOSES, RESERVATION_STATES } from './values.ts';

/**
 * The reservation columns, in the order in which they are written. A nullable column is optional on the wire. Columns
 * are only ever added, with a new schema version; none is renamed, moved or removed.
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
  customer_id: v.nullable(text),
  first_name: v.nullable(text),
  last_name: v.nullable(text),
  email: v.nullable(text),
  phone: v.nullable(text),
  nationality_code: v.nullable(nationality),
  loyalty_code: v.nullable(text),
  preferred_language: v.nullable(language),
  staff_comment: v.nullable(text),
  created_utc: v.nullable(timestamp),
  birth_date: v.nullable(date),
  adult_counts: v.nullable(count),
  child_counts: v.nullable(count),
});

/** The reservation columns of a row. */
export type Reservation = v.InferOutput<typeof ReservationSchema>;

/** The name of a reservation column. */
export type ReservationColumn = keyof Reservation;
