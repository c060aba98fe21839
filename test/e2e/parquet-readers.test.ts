/** Columnar objects as others read them: DuckDB, and Apache Arrow by way of its Rust implementation. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { tableFromIPC } from 'apache-arrow';
import { readParquet } from 'parquet-wasm/node';
import { v7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { COLUMNS, type Row } from '../../src/contract/row.ts';
import { PARQUET_COLUMNS } from '../../src/publish/parquet/columns.ts';
import { openParquet } from '../../src/publish/parquet/write-file.ts';
import { FULL_EVENT, SMALL_EVENT } from '../sample.ts';
import { sampleRow } from '../sample-row.ts';

const START = Date.parse('2026-07-10T09:00:00.000Z');

/** Enough for several row groups, with every column null once, and the ends of every range. */
const ROWS: readonly Row[] = [
  sampleRow(FULL_EVENT, v7({ msecs: START })),
  sampleRow(SMALL_EVENT, v7({ msecs: START + 1 })),
  sampleRow(
    {
      ...FULL_EVENT,
      FirstName: 'Ærø 🏨 "\\\u2028',
      StartUtc: '1900-01-01T00:00:00Z',
      EndUtc: '9999-12-31T23:59:59.999Z',
      BirthDate: '1900-01-01',
      MealPlan: '12:30',
      AssignedResourceNumber: '0007',
      AdultCounts: 9999,
      ChildCounts: 0,
      Price: { amount: 12.5 },
    },
    v7({ msecs: START + 2 }),
  ),
  ...Array.from({ length: 20 }, (_, at) =>
    sampleRow(
      { ...FULL_EVENT, PropertyId: `prop-${at % 3}`, ReservationId: `res-${at}` },
      v7({ msecs: START + 3 + at }),
    ),
  ),
];

let folder: string;
let path: string;
let file: Uint8Array<ArrayBuffer>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'parquet-readers-'));
  path = join(folder, 'day.parquet');
  const parquet = await openParquet(PARQUET_COLUMNS, 8);
  for (const row of ROWS) parquet.add(row);
  file = parquet.finish();
  writeFileSync(path, file);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Rows in the order of their identifiers, as the contract spells them. */
const byId = (rows: readonly Row[]) => rows.toSorted((left, right) => (left.event_id < right.event_id ? -1 : 1));

describe('openParquet()', () => {
  test('writes what DuckDB reads as it was, with times as times and dates as dates', async () => {
    const duckdb = await (await DuckDBInstance.create()).connect();
    await duckdb.run("SET TimeZone = 'UTC'");
    const described = await duckdb.runAndReadAll(`DESCRIBE SELECT * FROM '${path}'`);
    const types = Object.fromEntries(described.getRows().map(([name, type]) => [String(name), String(type)]));
    expect(Object.keys(types)).toEqual(COLUMNS);
    expect(types).toMatchObject({
      received_at: 'TIMESTAMP WITH TIME ZONE',
      birth_date: 'DATE',
      adult_counts: 'INTEGER',
      warnings: 'VARCHAR[]',
      meal_plan: 'VARCHAR',
    });
    const columns = COLUMNS.map((name) =>
      types[name] === 'TIMESTAMP WITH TIME ZONE' ? `strftime(${name}, '%Y-%m-%dT%H:%M:%S.%gZ') AS ${name}` : name,
    );
    const read = await duckdb.runAndReadAll(`SELECT ${columns} FROM '${path}' ORDER BY event_id`);
    expect(read.getRowObjectsJson()).toEqual(byId(ROWS));
  });

  test('writes what Apache Arrow reads as it was', () => {
    const table = tableFromIPC(readParquet(file).intoIPCStream());
    expect(table.numRows).toBe(ROWS.length);
    const rows = table.toArray().map((row) => {
      const plain = row?.toJSON() as Record<string, unknown>;
      const entries = COLUMNS.map((name) => {
        const value = plain[name] ?? null;
        if (value === null) return [name, null];
        if (name === 'warnings') return [name, Array.from(value as Iterable<string>)];
        const time = typeof value === 'number' ? new Date(value).toISOString() : '';
        if (name === 'birth_date') return [name, time.slice(0, 10)];
        return [name, /(_at|_utc)$/.test(name) ? time : value];
      });
      return Object.fromEntries(entries) as Row;
    });
    expect(byId(rows)).toEqual(byId(ROWS));
  });

  test('sorts each row group by hotel and reservation, and keeps statistics of every column', async () => {
    const duckdb = await (await DuckDBInstance.create()).connect();
    const read = await duckdb.runAndReadAll(
      `SELECT row_group_id, any_value(row_group_num_rows) AS rows, count(*) FILTER (stats_min_value IS NULL
        AND stats_null_count IS DISTINCT FROM row_group_num_rows) AS without
       FROM parquet_metadata('${path}') GROUP BY ALL ORDER BY ALL`,
    );
    expect(read.getRowsJson()).toEqual([
      ['0', '8', expect.anything()],
      ['1', '8', expect.anything()],
      ['2', '7', expect.anything()],
    ]);
    const rows = await duckdb.runAndReadAll(
      `SELECT file_row_number // 8, property_id, reservation_id FROM read_parquet('${path}', file_row_number = true)`,
    );
    const groups = Map.groupBy(rows.getRows(), ([group]) => group);
    for (const group of groups.values()) {
      const keys = group.map(([, property, reservation]) => `${property}\0${reservation ?? ''}`);
      expect(keys).toEqual(keys.toSorted());
    }
  });
});
