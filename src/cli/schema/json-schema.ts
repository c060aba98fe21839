/** The JSON Schema of a row, for tools without instructions of their own. Pure. */

import * as v from 'valibot';
import { jsonSchemaOf } from '../../contract/json-schema.ts';
import { RowSchema, SCHEMA_VERSION } from '../../contract/row.ts';
import { TABLE } from './columns.ts';

/** Any version released so far. */
const Version = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(SCHEMA_VERSION));

/** The JSON Schema (2020-12) of a line of any schema version. */
export function jsonSchema(): string {
  const { properties = {}, ...schema } = jsonSchemaOf(
    v.strictObject({ ...RowSchema.entries, schema_version: Version }),
  );
  const described = Object.fromEntries(
    TABLE.map(({ name, meaning }) => {
      const property = properties[name];
      return [name, typeof property === 'object' ? { description: meaning, ...property } : property];
    }),
  );
  const whole = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Reservation event',
    ...schema,
    required: TABLE.filter(({ since }) => since === 1).map(({ name }) => name),
    properties: described,
  };
  return `${JSON.stringify(whole, null, 2)}\n`;
}
