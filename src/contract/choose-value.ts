/** Which of several values counts that were sent for one field under different names. Pure. */

import type { JsonObject } from '../json/parse-plainly.ts';
import type { Field } from './fields.ts';
import { isAbsent, isUnusable, type ReadValue, readValue } from './read-value.ts';

/** The name whose value counts, and what becomes of the others. */
export interface Chosen {
  readonly sentAs: string;
  /** Names with another value, which must not be lost. */
  readonly setAside: readonly string[];
  readonly warnings: readonly ('misspelled_name' | 'two_names')[];
}

/** So many values of one field are read; a body may hold thousands of spellings, and the rest is set aside as it is. */
const MAX_SPELLINGS = 16;

/**
 * Chooses the value of a field: the first that can be used, the field's own name before any other spelling.
 *
 * @param misspelled - The other spellings that the payload has.
 * @returns undefined when none of the names carries a value.
 */
export function chooseValue(field: Field, payload: JsonObject, misspelled: readonly string[]): Chosen | undefined {
  // In an order of their own, so that the order of keys makes no difference.
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

/** Whether two values are stored alike. What cannot be used is like nothing else. */
function isSame(left: ReadValue, right: ReadValue): boolean {
  return !isUnusable(left) && !isUnusable(right) && storedValue(left) === storedValue(right);
}

function storedValue(read: Exclude<ReadValue, { code: unknown }>): string | number {
  return typeof read === 'object' ? read.value : read;
}
