/** The row as JSON Schema, for everything else. Pure. */

import { jsonSchemaOf } from '../../contract/json-schema.ts';
import { StoredRowSchema } from '../../contract/row.ts';
import { TABLE } from './columns.ts';

/** JSON Schema 2020-12 of one line of any schema version. */
export function jsonSchema(): string {
  const { properties = {}, ...schema } = jsonSchemaOf(StoredRowSchema);
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
    properties: described,
  };
  return `${JSON.stringify(whole, null, 2)}\n`;
}
