/** Chooses among the values that were sent for one field under different names. Pure. */

import type { JsonObject } from '../json/parse-plainly.ts';
import type { Field } from './fields.ts';
import { isAbsent, isUnusable, type ReadValue, readValue } from './read-value.ts';

/** The name whose value is used, and what to do with the others. */
export interface Chosen {
  readonly sentAs: string;
  /** Names with a different value, which must not be lost. */
  readonly setAside: readonly string[];
  readonly warnings: readonly ('misspelled_name' | 'two_names')[];
}

/** Spellings of one field that are read at most: a body can hold thousands. The rest are set aside unread. */
const MAX_SPELLINGS = 16;

/**
 * Chooses the value of a field: the first usable one, trying the field's own name before any other spelling.
 *
 * @param misspelled - The other spellings in the payload.
 * @returns undefined when none of the names has a value.
 */
export function chooseValue(field: Field, payload: JsonObject, misspelled: readonly string[]): Chosen | undefined {
  // Sorted, so that the order of keys makes no difference.
  const names = [field.wire, ...misspelled.toSorted()].filter((name) => !isAbsent(payload[name]));
  const values = names.slice(0, MAX_SPELLINGS).map((name) => ({ name, read: readValue(field, payload[name]) }));
  const chosen = values.find(({ read }) => !isUnusable(read)) ?? values[0];
  if (chosen === undefined) return undefined;
  const setAside = [
    ...values.filter((other) => other !== chosen && !isSame(other.read, chosen.read)).map(({ name }) => name),
    ...names.slice(MAX_SPELLINGS),
  ];
  return {
    sentAs: chosen.name,
    setAside,
    warnings: [
      ...(chosen.name === field.wire ? [] : (['misspelled_name'] as const)),
      ...(setAside.length === 0 ? [] : (['two_names'] as const)),
    ],
  };
}

/** Whether two values are stored as the same value. An unusable value equals no other. */
function isSame(left: ReadValue, right: ReadValue): boolean {
  return !isUnusable(left) && !isUnusable(right) && storedValue(left) === storedValue(right);
}

function storedValue(read: Exclude<ReadValue, { code: unknown }>): string | number {
  return typeof read === 'object' ? read.value : read;
}
