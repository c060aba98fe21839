/** The fields that a PMS sends, derived from the schema of what is stored. Pure. */

import * as v from 'valibot';
import { type EventColumn, EventSchema } from './reservation.ts';

export type Kind = 'text' | 'nationality' | 'language' | 'timestamp' | 'date' | 'count' | 'choice';

export interface Field {
  /** The name in the JSON body, such as `StartUtc`. */
  readonly wire: string;
  /** The name in the row, such as `start_utc`. */
  readonly column: EventColumn;
  readonly required: boolean;
  readonly kind: Kind;
  /** The allowed values of a choice. */
  readonly allowed?: readonly string[];
}

/** All fields: those of the reservation in column order, then the time of the event (`occurred_at`). */
export const FIELDS: readonly Field[] = Object.entries(EventSchema.entries).map(([column, schema]) => {
  const value = 'wrapped' in schema ? schema.wrapped : schema;
  const { wire = pascalCase(column) } = v.getMetadata(schema) as { wire?: string };
  return {
    wire,
    column: column as EventColumn,
    required: value === schema,
    ...(v.getMetadata(value) as Pick<Field, 'kind' | 'allowed'>),
  };
});

export const FIELD_BY_WIRE: ReadonlyMap<string, Field> = new Map(FIELDS.map((field) => [field.wire, field]));

export const FIELD_BY_COLUMN: ReadonlyMap<string, Field> = new Map(FIELDS.map((field) => [field.column, field]));

function pascalCase(column: string): string {
  return column.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
