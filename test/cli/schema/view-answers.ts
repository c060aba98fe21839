/** The same events and the same questions for every database that runs here. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Dialect } from '../../../src/cli/schema/dialect.ts';
import { printViews, REJECTION_COLUMNS } from '../../../src/cli/schema/views.ts';
import { COLUMNS } from '../../../src/contract/row.ts';
import type { Engine } from './engines.ts';
import { ANSWERS, PROPERTIES, REJECTIONS, ROWS } from './hotels.ts';

/** A database under test. */
export interface Case {
  readonly name: string;
  readonly dialect: Dialect;
  readonly open: () => Promise<Engine>;
  /** The definition of the table `events`. */
  readonly table: string;
  /** How an empty list is written. */
  readonly emptyList: string;
}

/** Holds the views of one database against the answers. */
export function describeViews({ name, dialect, open, table, emptyList }: Case): void {
  describe(`printViews() for ${name}`, () => {
    let engine: Engine;

    beforeAll(async () => {
      engine = await open();
      await engine.run(table);
      await engine.run(printViews(dialect));
      // A second run replaces everything and loses nothing.
      await engine.run(printViews(dialect));
      const events = ROWS.map((row) => COLUMNS.map((column) => row[column]));
      await engine.run(insert('events', COLUMNS, events, emptyList));
      const property = ['integration_id', 'property_id', 'time_zone', 'rooms', 'rooms_apart'];
      await engine.run(insert('properties', property, PROPERTIES, emptyList));
      const rejections = REJECTIONS.map((row) => Object.values(row));
      await engine.run(insert('rejections', Object.keys(REJECTION_COLUMNS), rejections, emptyList));
    });
    afterAll(() => engine.close());

    test.each(ANSWERS)('$view answers right', async ({ sql, rows }) => {
      expect(await engine.rows(sql)).toEqual(rows);
    });
  });
}

function insert(
  table: string,
  columns: readonly string[],
  rows: readonly (readonly unknown[])[],
  emptyList: string,
): string {
  const values = rows.map((row) => `(${row.map((value) => literal(value, emptyList)).join(', ')})`);
  return `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${values.join(', ')}`;
}

function literal(value: unknown, emptyList: string): string {
  if (value === null || value === undefined) return 'NULL';
  if (Array.isArray(value) && value.length === 0) return emptyList;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return `'${(typeof value === 'string' ? value : JSON.stringify(value)).replaceAll("'", "''")}'`;
}
