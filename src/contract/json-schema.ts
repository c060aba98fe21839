/** Converts Valibot schemas to JSON Schema 2020-12, the dialect of OpenAPI 3.1. Pure. */

import { type JsonSchema, toJsonSchema } from '@valibot/to-json-schema';
import type { GenericSchema } from 'valibot';

export type { JsonSchema };

const FORMATS: Readonly<Record<string, string>> = { timestamp: 'date-time', date: 'date' };

/** Metadata of a column for which JSON Schema has no keyword. */
type OurMetadata = Readonly<Partial<Record<'kind' | 'allowed' | 'personal' | 'since' | 'wire', unknown>>>;

/**
 * Converts a schema. The kind of a column becomes its `format`, and a nullable value gets two types, which are easier
 * to read on a page than an `anyOf`.
 *
 * @throws When a part of the schema has no counterpart in JSON Schema.
 */
export function jsonSchemaOf(schema: GenericSchema): JsonSchema {
  const { $schema, ...converted } = toJsonSchema(schema, {
    target: 'draft-2020-12',
    overrideAction: ({ valibotAction, jsonSchema }) => {
      if (valibotAction.type !== 'metadata') return undefined;
      const { kind, allowed, personal, since, wire, ...described }: JsonSchema & OurMetadata = jsonSchema;
      const format = typeof kind === 'string' ? FORMATS[kind] : undefined;
      if (format === undefined) return described;
      // The pattern describes how a time is stored, which does not concern the sender.
      const { pattern, ...unspelled } = described;
      return { ...unspelled, format };
    },
    overrideSchema: ({ jsonSchema }) => withTwoTypes(jsonSchema),
  });
  return converted;
}

function withTwoTypes(schema: JsonSchema): JsonSchema | undefined {
  const [value, none, ...more] = schema.anyOf ?? [];
  if (typeof value !== 'object' || typeof none !== 'object' || more.length > 0 || none.type !== 'null')
    return undefined;
  if (typeof value.type !== 'string') return undefined;
  return { ...value, type: [value.type, 'null'], ...(value.enum && { enum: [...value.enum, null] }) };
}
