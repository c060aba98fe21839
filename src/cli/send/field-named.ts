/** The fields of the contract by names that people give to columns. Pure. */

import { FIELDS, type Field } from '../../contract/fields.ts';

const FIELD_BY_LETTERS: ReadonlyMap<string, Field> = new Map(FIELDS.map((field) => [lettersOf(field.wire), field]));

/** The field of a name, of which the letters and digits count alone: `StartUtc`, `start_utc` and `Start UTC` are one. */
export function fieldNamed(name: string): Field | undefined {
  return FIELD_BY_LETTERS.get(lettersOf(name));
}

function lettersOf(name: string): string {
  return name.toLowerCase().replace(/[^a-z\d]/g, '');
}
