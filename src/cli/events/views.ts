/** The tables and views of `npm run events -- sql`: those of `npm run schema -- duckdb --views`. Pure. */

import type { TimeRange } from '../list-hours.ts';
import { type Column, TABLE } from '../schema/columns.ts';
import { DUCKDB, readRows, tableDefinition, withoutZone } from '../schema/duckdb.ts';
import { inputTables, viewStatements } from '../schema/views.ts';

/** Paths of the files to query. */
export interface EventFiles {
  /** Parquet files of the table, which hold each event once. */
  readonly table: readonly string[];
  /** Parts of `events/` that the table does not have yet. A part may replace one that the table has. */
  readonly published: readonly string[];
  /** Objects of `landing/`, which hold an event at least once and may repeat published events. */
  readonly landed: readonly string[];
}

export function createViews({ table, published, landed }: EventFiles, range: TimeRange): readonly string[] {
  const sources = [
    ...(table.length === 0 ? [] : [withoutThose(selectParquet(table, range), published)]),
    ...(published.length === 0 ? [] : [selectLines(published, range)]),
  ];
  const known = sources.join(' UNION ALL ');
  if (landed.length > 0) {
    const rows = `(SELECT DISTINCT ON (event_id) * FROM (${selectLines(landed, range)})) AS landed`;
    sources.push(`SELECT * FROM ${rows}${known === '' ? '' : ` ANTI JOIN (${known}) AS known USING (event_id)`}`);
  }
  return [
    // Parquet timestamps have a zone, and DuckDB would convert them to the zone of the machine.
    "SET TimeZone = 'UTC'",
    // DuckDB cannot read an empty list of files.
    sources.length === 0 ? tableDefinition() : `CREATE VIEW events AS ${sources.join(' UNION ALL ')}`,
    ...inputTables(DUCKDB),
    ...viewStatements(DUCKDB),
  ];
}

/** Drops rows that newer files have too: there, a guest may be erased. */
function withoutThose(rows: string, newer: readonly string[]): string {
  if (newer.length === 0) return rows;
  return `SELECT * FROM (${rows}) AS stored ANTI JOIN ${readRows(listOf(newer))} AS newer USING (event_id)`;
}

function selectLines(files: readonly string[], range: TimeRange): string {
  return `SELECT * FROM ${readRows(listOf(files))} WHERE ${within(range, 'TIMESTAMP')}`;
}

/** Reads Parquet files. Older ones may lack a column, which is then null, as it is for lines. */
function selectParquet(files: readonly string[], range: TimeRange): string {
  const stored = (type: Column['type']) => (type === 'timestamp' ? 'TIMESTAMPTZ' : DUCKDB.types[type]);
  const nothing = TABLE.map(({ name, type }) => `NULL::${stored(type)} AS ${name}`).join(', ');
  const columns = TABLE.map(({ name, type }) => (type === 'timestamp' ? `${withoutZone(name)} AS ${name}` : name));
  return `SELECT ${columns.join(', ')} FROM (
    SELECT ${nothing} WHERE false UNION ALL BY NAME SELECT * FROM read_parquet(${listOf(files)}, union_by_name = true)
  ) WHERE ${within(range, 'TIMESTAMPTZ')}`;
}

/** Paths as an SQL list. */
export function listOf(files: readonly string[]): string {
  return `[${files.map((file) => `'${file.replaceAll("'", "''")}'`).join(', ')}]`;
}

function within({ from, to }: TimeRange, type: 'TIMESTAMP' | 'TIMESTAMPTZ'): string {
  const conditions = [
    ...(from === undefined ? [] : [`received_at >= ${type} '${from.toISOString()}'`]),
    ...(to === undefined ? [] : [`received_at < ${type} '${to.toISOString()}'`]),
  ];
  return conditions.join(' AND ') || 'true';
}
