/** The kinds of value that a column can store, as Valibot schemas. Pure. */

import * as v from 'valibot';
import { STORED_DATE, STORED_TIMESTAMP } from './timestamp.ts';

/** Why a value cannot be used. */
export type FieldErrorCode =
  | 'missing'
  | 'wrong_type'
  | 'inexact_number'
  | 'not_allowed'
  | 'not_a_timestamp'
  | 'not_a_date'
  | 'not_a_count';

/** Adults or children in one reservation. A larger number is a typing error. */
export const MAX_COUNT = 9999;

export const text = v.pipe(v.string(), v.metadata({ kind: 'text' }));

/**
 * What a column about a guest holds in files with pseudonyms: a keyed digest, which is equal for the same guest; null;
 * or the value itself, where many guests share it.
 */
export type InPseudonyms = 'digest' | 'null' | 'kept';

/**
 * Marks a column about a guest. All code that erases or leaves out guests relies on this mark, so that a new column
 * cannot be forgotten.
 */
export const personal = <const Shown extends InPseudonyms>(inPseudonyms: Shown) =>
  v.metadata<string | null, { readonly personal: Shown }>({ personal: inPseudonyms });

/** A text that identifies a guest. */
export const guestId = v.pipe(v.nullable(text), personal('digest'));

/** Any other text about a guest. */
export const guestText = v.pipe(v.nullable(text), personal('null'));

export const nationality = v.pipe(v.string(), v.metadata({ kind: 'nationality' }));

/** A canonical BCP 47 tag where the sender's text is a tag, otherwise the text as sent. */
export const language = v.pipe(v.string(), v.metadata({ kind: 'language' }));

/** A point in time, `YYYY-MM-DDTHH:MM:SS.sssZ`. */
export const timestamp = v.pipe(v.string(), v.regex(STORED_TIMESTAMP), v.metadata({ kind: 'timestamp' }));

/** A calendar date, `YYYY-MM-DD`. */
export const date = v.pipe(v.string(), v.regex(STORED_DATE), v.metadata({ kind: 'date' }));

/** A number of people, 0 to {@link MAX_COUNT}. */
export const count = v.pipe(
  v.number(),
  v.integer(),
  v.minValue(0),
  v.maxValue(MAX_COUNT),
  v.metadata({ kind: 'count' }),
);

/** A count of things, or the sequence of one: from 0, and exact. No column stores it; the records of runs do. */
export const wholeNumber = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

/** One of a few values, exactly as written. */
export function oneOf<const Values extends readonly string[]>(values: Values) {
  return v.pipe(v.picklist(values), v.metadata({ kind: 'choice', allowed: values }));
}
