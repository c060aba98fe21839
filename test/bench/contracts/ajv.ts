/** The contract in JSON Schema, compiled by Ajv: the same fields and checks, without the second chance for optional values. */

import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { FIELDS, type Field } from '../../../src/contract/fields.ts';
import { MAX_COUNT } from '../../../src/contract/kinds.ts';

function schemaOf({ kind, required, allowed }: Field): object {
  const nullable = !required;
  switch (kind) {
    case 'choice':
      return { enum: nullable ? [...(allowed ?? []), null] : allowed };
    case 'timestamp':
      return { type: 'string', format: 'date-time', nullable };
    case 'date':
      return { type: 'string', format: 'date', nullable };
    case 'count':
      return { type: 'integer', minimum: 0, maximum: MAX_COUNT, nullable };
    default:
      return { type: 'string', minLength: 1, nullable };
  }
}

const ajv = new Ajv({ allErrors: true });
// The package is CommonJS, and its types name its default export one level too high.
addFormats.default(ajv);

/** Whether a payload keeps the contract. */
export const ajvEvent = ajv.compile({
  type: 'object',
  properties: Object.fromEntries(FIELDS.map((field) => [field.wire, schemaOf(field)])),
  required: FIELDS.filter(({ required }) => required).map(({ wire }) => wire),
});
