/** The views that `npm run events -- sql` has ready: those of `npm run schema -- duckdb --views`. Pure. */

import type { TimeRange } from '../list-hours.ts';
import { DUCKDB, readRows, tableDefinition } from '../schema/duckdb.ts';
import { inputTables, viewStatements } from '../schema/views.ts';

/**
 * Statements that make the views.
 *
 * @param files - Paths of NDJSON, compressed or not, that hold each event once.
 */
export function createViews(files: readonly string[], range: TimeRange): readonly string[] {
  return [
    // DuckDB cannot read no files at all.
    files.length === 0 ? tableDefinition() : `CREATE VIEW events AS ${selectRange(files, range)}`,
    ...inputTables(DUCKDB),
    ...viewStatements(DUCKDB),
  ];
}

function selectRange(files: readonly string[], { from, to }: TimeRange): string {
  const list = `[${files.map((file) => `'${file.replaceAll("'", "''")}'`).join(', ')}]`;
  const conditions = [
    ...(from === undefined ? [] : [`received_at >= '${from.toISOString()}'`]),
    ...(to === undefined ? [] : [`received_at < '${to.toISOString()}'`]),
  ];
  return `SELECT * FROM ${readRows(list)} WHERE ${conditions.join(' AND ') || 'true'}`;
}
