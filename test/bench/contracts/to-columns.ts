/** A checked event to the columns that are stored: what every contestant does after its checks. */

import { FIELDS } from '../../../src/contract/fields.ts';

/** Names the values by their columns and writes timestamps in UTC. */
export function toColumns(event: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const columns: Record<string, unknown> = {};
  for (const { wire, column, kind } of FIELDS) {
    const value = event[wire] ?? null;
    columns[column] = kind === 'timestamp' && typeof value === 'string' ? new Date(value).toISOString() : value;
  }
  return columns;
}
