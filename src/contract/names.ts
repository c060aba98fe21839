/** Recognises misspelled field names. Pure. */

import { FIELDS, type Field } from './fields.ts';

/** The misspelling of `AssignedResourceNumber` that some PMSs send (three s). */
const MISSPELLED_ROOM = 'AsssignedResourceNumber';

/** In characters. Longer names are not normalised: no field name is half as long, and a body can hold thousands. */
const MAX_NAME_LENGTH = 64;

const FIELD_BY_NORMALIZED_NAME: ReadonlyMap<string, Field> = new Map(
  FIELDS.flatMap((field) => [
    [normalizeName(field.wire), field] as const,
    ...(field.column === 'assigned_resource_number' ? [[normalizeName(MISSPELLED_ROOM), field] as const] : []),
  ]),
);

/** Finds the field that a name means. It may differ in case, `_`, `-`, blanks and a plural s. */
export function fieldMeant(name: string): Field | undefined {
  return name.length > MAX_NAME_LENGTH ? undefined : FIELD_BY_NORMALIZED_NAME.get(normalizeName(name));
}

function normalizeName(name: string): string {
  return name
    .replace(/[\s_-]/g, '')
    .toLowerCase()
    .replace(/s$/, '');
}
