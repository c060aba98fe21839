/** The event that a PMS sends and the row that is stored, as JSON Schema. Pure. */

import * as v from 'valibot';
import { FIELDS } from '../../contract/fields.ts';
import { type JsonSchema, jsonSchemaOf } from '../../contract/json-schema.ts';
import { MEANINGS } from '../../contract/meanings.ts';
import { EventSchema } from '../../contract/reservation.ts';
import { COLUMNS, RowSchema } from '../../contract/row.ts';
import { exampleOf } from '../words/examples.ts';
import { RULES } from '../words/rules.ts';

/** The body of a request, under its wire names. The schema says what to send; the service accepts more than that. */
export function eventSchema(): JsonSchema {
  return {
    type: 'object',
    description: `One reservation event. ${RULES.required} ${RULES.optional}`,
    required: FIELDS.filter(({ required }) => required).map(({ wire }) => wire),
    properties: Object.fromEntries(
      FIELDS.map(({ wire, column, required, kind }) => [
        wire,
        {
          ...jsonSchemaOf(EventSchema.entries[column]),
          // A blank string counts as missing.
          ...(required && kind === 'text' && { pattern: '\\S' }),
          description: MEANINGS[column].meaning,
          examples: [exampleOf(column)],
        },
      ]),
    ),
    additionalProperties: true,
  };
}

/** The stored row. Its schema is open, like those of all answers: columns and values may be added. */
export function rowSchema(): JsonSchema {
  const Version = v.pipe(v.number(), v.integer(), v.minValue(1));
  const schema = jsonSchemaOf(v.object({ ...RowSchema.entries, schema_version: Version }));
  return {
    ...schema,
    description: RULES.row,
    properties: Object.fromEntries(
      COLUMNS.map((column) => {
        const { enum: _, ...open } = Object(schema.properties?.[column]);
        const { meaning, example } = MEANINGS[column];
        return [column, { ...open, description: meaning, examples: [example] }];
      }),
    ),
  };
}
