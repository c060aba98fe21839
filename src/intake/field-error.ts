/** Field errors as an answer describes them. No text here contains anything that was sent. */

import type { FieldErrorCode } from '../contract/kinds.ts';
import { MAX_COUNT } from '../contract/kinds.ts';
import type { FieldError } from '../contract/normalise.ts';
import { MAX_YEAR, MIN_YEAR } from '../contract/timestamp.ts';

export interface DescribedError {
  readonly field: string;
  /** The place of the value in the body, or where it should be (JSON Pointer, RFC 6901). */
  readonly pointer: string;
  readonly code: FieldErrorCode;
  readonly detail: string;
  /** The allowed values of a choice. */
  readonly allowed?: readonly string[];
}

const DETAILS: Readonly<Record<FieldErrorCode, string>> = {
  missing: 'is required; null and a blank string count as missing',
  wrong_type: 'must be a string',
  inexact_number: 'is a number that loses digits when it is read; send it as a string',
  not_allowed: 'must be one of the allowed values, exactly as written',
  not_a_timestamp: 'must be a date and time in ISO 8601, such as 2026-05-01T13:00:00Z',
  not_a_date: 'must be a date that exists, from 1900 on, such as 1980-01-31',
  not_a_count: `must be a whole number from 0 to ${MAX_COUNT}`,
};

const CAUSES: Readonly<Record<NonNullable<FieldError['cause']>, string>> = {
  unfilled_template: 'a placeholder of a template was sent, which was not filled in',
  not_iso_8601: 'what was sent is written in another way',
  number: 'a number was sent',
  no_date: 'the date is missing',
  no_time: 'the time is missing',
  no_such_day: 'there is no such day',
  no_such_time: 'hours end at 23, minutes and seconds at 59',
  no_such_offset: 'no zone has such an offset',
  zone_without_offset: 'a named zone needs its offset as well, as in 15:00:00+02:00[Europe/Prague]',
  year_out_of_range: `the year must be ${MIN_YEAR} to ${MAX_YEAR}`,
};

export function describeFieldError({ field, sentAs, code, cause }: FieldError): DescribedError {
  return {
    field: field.wire,
    pointer: `/${sentAs}`,
    code,
    detail: `${field.wire} ${DETAILS[code]}${cause === undefined ? '' : `; ${CAUSES[cause]}`}`,
    ...(field.allowed !== undefined && { allowed: field.allowed }),
  };
}
