/**
 * The meaning of each column and an example value, for everything that explains the contract to people (OpenAPI, the
 * page, table definitions). The Worker itself does not import it. Pure.
 */

import { type Row, SCHEMA_VERSION } from './row.ts';

export interface Meaning<Value> {
  /** One or two sentences. They leave out the type, which comes from the schema. */
  readonly meaning: string;
  /** A value as it is stored. Together the examples are one plausible row. */
  readonly example: Exclude<Value, null>;
}

export const MEANINGS: { readonly [Column in keyof Row]: Meaning<Row[Column]> } = {
  event_id: {
    meaning: 'Identifies the accepted event. UUIDv7, so that ids sort by the time of acceptance.',
    example: '019e3b9d-9d90-7c3e-9a54-2b6f0c81d7e4',
  },
  event_fingerprint: {
    meaning:
      'Hash of the reservation columns and extra. Equal content gives an equal fingerprint, regardless of order and spacing; when it happened is not content.',
    example: '9f2c41d07b3e68a5c0d4e1f7a2b95836',
  },
  idempotency_key: {
    meaning: 'The Idempotency-Key header as it was sent; without it webhook-id, then ce-id.',
    example: 'ntf-8812-1',
  },
  received_at: {
    meaning: 'When the service accepted the event; the same millisecond as in event_id.',
    example: '2026-05-18T15:04:05.776Z',
  },
  occurred_at: {
    meaning: 'When it happened, as the PMS says: UpdatedUtc, without it the header ce-time.',
    example: '2026-05-18T15:04:04.000Z',
  },
  sender: { meaning: 'Name of the token that sent the event.', example: 'default' },
  schema_version: { meaning: 'Version of the columns. Rises when a column is added.', example: SCHEMA_VERSION },
  integration_id: {
    meaning: 'The connection between the PMS and the hotel over which the event travels.',
    example: 'int-4821',
  },
  property_id: { meaning: 'The hotel, as the PMS knows it.', example: 'prague-riverside' },
  event_type: { meaning: 'What happened to the reservation.', example: 'ReservationConfirmed' },
  reservation_state: { meaning: 'The state of the reservation after the event.', example: 'Confirmed' },
  assigned_resource_number: {
    meaning:
      'The room, bed or other space that is assigned, or unassigned while there is none. Text: leading zeros stay.',
    example: '0304',
  },
  start_utc: { meaning: 'When the stay begins.', example: '2026-06-12T13:00:00.000Z' },
  end_utc: { meaning: 'When the stay ends.', example: '2026-06-15T09:00:00.000Z' },
  reservation_id: {
    meaning: 'The reservation, as the PMS knows it. Without it, events of one stay cannot be told to belong together.',
    example: 'res-90417',
  },
  reservation_origin: { meaning: 'Where the reservation came from.', example: 'BookingEngine' },
  reservation_purpose: { meaning: 'Why the guest travels.', example: 'Leisure' },
  rate_id: { meaning: 'The rate plan.', example: 'flex-breakfast' },
  meal_plan: { meaning: 'The meals that are included, in the words of the hotel.', example: 'BB' },
  room_type_id: { meaning: 'The type of room that was booked.', example: 'double-river-view' },
  customer_id: { meaning: 'The guest, as the PMS knows them.', example: 'cust-20733' },
  first_name: { meaning: 'The guest’s first name.', example: 'Amélie' },
  last_name: { meaning: 'The guest’s last name.', example: 'Novák' },
  email: { meaning: 'The guest’s e-mail address, exactly as sent.', example: 'amelie.novak@example.com' },
  phone: { meaning: 'The guest’s telephone number, exactly as sent.', example: '+420 555 010 199' },
  nationality_code: {
    meaning: 'The guest’s nationality, ISO 3166-1 alpha-2 for choice. Stored in upper case.',
    example: 'CZ',
  },
  loyalty_code: { meaning: 'Level or number in the loyalty programme.', example: 'GOLD' },
  preferred_language: {
    meaning: 'The language in which the guest wants to be addressed. Stored as a canonical BCP 47 tag where it is one.',
    example: 'cs-CZ',
  },
  staff_comment: { meaning: 'A note for the staff.', example: 'Late arrival, please keep a cot ready' },
  created_utc: { meaning: 'When the reservation was made.', example: '2026-05-18T15:04:03.000Z' },
  birth_date: { meaning: 'The guest’s date of birth.', example: '1987-11-02' },
  adult_counts: { meaning: 'Number of adults.', example: 2 },
  child_counts: { meaning: 'Number of children.', example: 1 },
  warnings: {
    meaning: 'What was odd about the event, each as column:code. Empty when nothing was.',
    example: ['start_utc:no_zone'],
  },
  extra: {
    meaning:
      'JSON text of an object: fields that the contract does not know, and optional values that could not be used, by their wire names.',
    example: '{"PromoCode":"SPRING"}',
  },
};
