/** What the codes of errors and warnings mean, written for senders. Pure. */

import { type FieldErrorCode, MAX_COUNT } from '../../contract/kinds.ts';
import type { WarningCode } from '../../contract/normalise.ts';

/** The meaning of each error code. On an optional field the same code is a warning. */
export const FIELD_ERROR_MEANINGS: Readonly<Record<FieldErrorCode, string>> = {
  missing: 'The field is required and is not there, is null, or is blank.',
  wrong_type: 'The value is not a string.',
  inexact_number: 'The value is a number with more digits than JSON readers keep. Send it as a string.',
  not_allowed: 'The value is none of the allowed ones. They are compared exactly, capitals included.',
  not_a_timestamp:
    'The value is not a date and time that exists. Send ISO 8601 with a zone, such as 2026-05-01T13:00:00Z.',
  not_a_date: 'The value is not a date that exists. Send YYYY-MM-DD.',
  not_a_count: `The value is not a whole number from 0 to ${MAX_COUNT}.`,
};

/** The meaning of each code that is only a warning: what was done to the accepted event. */
export const WARNING_MEANINGS: Readonly<Record<Exclude<WarningCode, FieldErrorCode>, string>> = {
  number_as_text: 'A number was sent where text belongs. Its digits were stored; leading zeros may be gone already.',
  text_as_number: 'Digits were sent as a string where a number belongs. The number was stored.',
  replaced_characters: 'Characters that cannot be stored (lone surrogates, U+0000) became U+FFFD.',
  no_zone: 'The time has no zone and was read as UTC. Say Z, or an offset such as +02:00.',
  not_a_language_tag: 'The language is not a BCP 47 tag, such as en or en-GB. It was stored as sent.',
  not_a_country_code: 'The nationality is not a code of two or three letters, such as CZ. It was stored as sent.',
  looks_empty:
    'The text says that there is no value (null, N/A, unknown). It was stored as sent; send null instead, or `unassigned` for a room.',
  unfilled_template: 'The text is a placeholder of a template ({{ }}) that was not filled in. It was stored as sent.',
  beyond_9999:
    'In UTC the time is later than can be written. The last moment of 9999 was stored; what was sent is in extra.',
  in_the_future:
    'The event happened more than a day after it was received, says the time. It was stored, and does not order events.',
  misspelled_name:
    'The name is nearly that of the field: it differs in case, in _, - or blanks, or in an s at the end, or it is AsssignedResourceNumber with three s. It was read as the field.',
  two_names:
    'The field came under two names with different values. The exact name counts unless its value cannot be used; the other value is in extra.',
  repeated_name: 'The name occurs in the body more than once. The last value counts, the others are lost.',
  too_deep: 'A field that is not listed nests more than 64 levels. It was kept in extra as text.',
  before_start: 'The stay ends before it begins.',
  disagrees_with_event_type: 'ReservationState is not the state in which EventType leaves a reservation.',
};

/** The meaning of every warning code, of either kind. */
export const ALL_WARNING_MEANINGS: Readonly<Record<WarningCode, string>> = {
  ...WARNING_MEANINGS,
  ...FIELD_ERROR_MEANINGS,
};
