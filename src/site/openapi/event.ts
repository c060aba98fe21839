/** What a PMS sends and what is stored, as JSON Schema. Pure. */

import { FIELDS } from '../../contract/fields.ts';
import { type JsonSchema, jsonSchemaOf } from '../../contract/json-schema.ts';
import { MEANINGS } from '../../contract/meanings.ts';
import { EventSchema } from '../../contract/reservation.ts';
import { COLUMNS, RowSchema } from '../../contract/row.ts';

/** The body of a request, under the names of the wire. It says what to send; the service takes more than that. */
export function eventSchema(): JsonSchema {
  return {
    type: 'object',
    description:
      'One reservation event. Fields that are not listed are kept in `extra`. An optional value that cannot be used never costs the event: it is stored as null with a warning, and kept in `extra` as sent.',
    required: FIELDS.filter(({ required }) => required).map(({ wire }) => wire),
    properties: Object.fromEntries(
      FIELDS.map(({ wire, column, required, kind }) => [
        wire,
        {
          ...jsonSchemaOf(EventSchema.entries[column]),
          // A blank string counts as missing.
          ...(required && kind === 'text' && { pattern: '\\S' }),
          ...explain(column),
        },
      ]),
    ),
    additionalProperties: true,
  };
}

/** The row that becomes of it. */
export function rowSchema(): JsonSchema {
  const schema = jsonSchemaOf(RowSchema);
  const properties = Object.entries(schema.properties ?? {});
  return {
    ...schema,
    description: `One accepted event: ${COLUMNS.length} columns, always all present, null when absent.`,
    properties: Object.fromEntries(
      properties.map(([column, property]) => [column, { ...Object(property), ...explain(column) }]),
    ),
  };
}

function explain(column: string): JsonSchema {
  const found = Object.entries(MEANINGS).find(([name]) => name === column);
  if (found === undefined) throw new Error(`Cannot explain ${column}: it is missing in src/contract/meanings.ts`);
  const { meaning, example } = found[1];
  return { description: meaning, examples: [example] };
}
