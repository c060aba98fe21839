/** The tables and views that `npm run events -- sql` has ready: those of `npm run schema -- duckdb --views`. Pure. */

import type { TimeRange } from '../list-hours.ts';
import { type Column, TABLE } from '../schema/columns.ts';
import { DUCKDB, readRows, tableDefinition, withoutZone } from '../schema/duckdb.ts';
import { inputTables, viewStatements } from '../schema/views.ts';

/**
 * Statements that make the views.
 *
 * @param files - Paths, told apart by their endings: `.parquet` and `.ndjson.gz` are published and hold each event once,
 * `.ndjson` has landed and may have been published since.
 */
export function createViews(files: readonly string[], range: TimeRange): readonly string[] {
  return [
    // Columnar files have times with a zone, and DuckDB turns those into times of the machine's zone.
    "SET TimeZone = 'UTC'",
    // DuckDB cannot read no files at all.
    files.length === 0 ? tableDefinition() : `CREATE VIEW events AS ${selectEvents(files, range)}`,
    ...inputTables(DUCKDB),
    ...viewStatements(DUCKDB),
  ];
}

function selectEvents(files: readonly string[], range: TimeRange): string {
  const columnar = files.filter((file) => file.endsWith('.parquet'));
  const parts = files.filter((file) => file.endsWith('.gz'));
  const landed = files.filter((file) => file.endsWith('.ndjson'));
  const published = [
    ...(columnar.length === 0 ? [] : [selectColumnar(columnar, range)]),
    ...(parts.length === 0 ? [] : [selectLines(parts, range)]),
  ];
  if (landed.length === 0) return published.join(' UNION ALL ');
  const rest = selectLines(landed, range);
  if (published.length === 0) return rest;
  const all = published.join(' UNION ALL ');
  return `${all} UNION ALL SELECT * FROM (${rest}) AS landed ANTI JOIN (${all}) AS published USING (event_id)`;
}

function selectLines(files: readonly string[], range: TimeRange): string {
  return `SELECT * FROM ${readRows(listOf(files))} WHERE ${within(range, 'TIMESTAMP')}`;
}

/** Columnar files may be older than a column, which is null then, as it is for lines. */
function selectColumnar(files: readonly string[], range: TimeRange): string {
  const stored = (type: Column['type']) => (type === 'timestamp' ? 'TIMESTAMPTZ' : DUCKDB.types[type]);
  const nothing = TABLE.map(({ name, type }) => `NULL::${stored(type)} AS ${name}`).join(', ');
  const columns = TABLE.map(({ name, type }) => (type === 'timestamp' ? `${withoutZone(name)} AS ${name}` : name));
  return `SELECT ${columns.join(', ')} FROM (
    SELECT ${nothing} WHERE false UNION ALL BY NAME SELECT * FROM read_parquet(${listOf(files)}, union_by_name = true)
  ) WHERE ${within(range, 'TIMESTAMPTZ')}`;
}

function listOf(files: readonly string[]): string {
  return `[${files.map((file) => `'${file.replaceAll("'", "''")}'`).join(', ')}]`;
}

function within({ from, to }: TimeRange, type: 'TIMESTAMP' | 'TIMESTAMPTZ'): string {
  const conditions = [
    ...(from === undefined ? [] : [`received_at >= ${type} '${from.toISOString()}'`]),
    ...(to === undefined ? [] : [`received_at < ${type} '${to.toISOString()}'`]),
  ];
  return conditions.join(' AND ') || 'true';
}
