/** The table as others read it: DuckDB its Parquet files, and icebird all of it, beside the rows of `events/`. */

import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { beforeAll, describe, expect, test } from 'vitest';
import { runLocalCron } from '../../src/cli/local-crons.ts';
import type { LocalService } from '../../src/cli/local-service.ts';
import { createObjectStore } from '../../src/cli/object-store.ts';
import { COLUMNS } from '../../src/contract/row.ts';
import { FULL_EVENT, SMALL_EVENT } from '../sample.ts';
import { downloadCurrent, publishedRows, readWithDuckDb, readWithIcebird } from './read-table.ts';
import { sharedService } from './shared-service.ts';

/** Every column null once, and the ends of every range. */
const EVENTS = [
  FULL_EVENT,
  SMALL_EVENT,
  {
    ...FULL_EVENT,
    FirstName: 'Ærø 🏨 "\\\u2028',
    PropertyId: '\u{1f3e8} beyond what UTF-16 sorts last',
    StartUtc: '1900-01-01T00:00:00Z',
    EndUtc: '9999-12-31T23:59:59.999Z',
    BirthDate: '1900-01-01',
    MealPlan: '12:30',
    AssignedResourceNumber: '0007',
    AdultCounts: 9999,
    ChildCounts: 0,
    Price: { amount: 12.5 },
  },
  ...Array.from({ length: 20 }, (_, at) => ({
    ...FULL_EVENT,
    PropertyId: `prop-${at % 3}`,
    ReservationId: `res-${at}`,
  })),
];

const MS_PER_HOUR = 3_600_000;

let service: LocalService;

beforeAll(async () => {
  service = await sharedService();
  // Two parts, so that there are two files.
  for (const [at, events] of [EVENTS.slice(0, 10), EVENTS.slice(10)].entries()) {
    for (const event of events) await send(event);
    expect(await service.drain()).toBe(0);
    for (const cron of ['publish', 'table'] as const) {
      await runLocalCron(service.origin, cron, Date.now() + (at + 2) * MS_PER_HOUR);
    }
  }
}, 60_000);

async function send(event: object): Promise<void> {
  const headers = { Authentication: `Bearer ${service.token}`, 'Content-Type': 'application/json' };
  const response = await fetch(service.endpoint, { method: 'POST', headers, body: JSON.stringify(event) });
  expect(response.status).toBe(202);
}

describe('runTable()', () => {
  test('writes files whose columns DuckDB reads as times, dates and lists, and whose rows are sorted', async () => {
    const names = await downloadCurrent(service.store, await mkdtemp(join(tmpdir(), 'table-readers-')));
    expect(names).toHaveLength(2);
    const duckdb = await (await DuckDBInstance.create()).connect();
    const from = `read_parquet(['${names.join("', '")}'])`;
    const described = await duckdb.runAndReadAll(`DESCRIBE SELECT * FROM ${from}`);
    const types = Object.fromEntries(described.getRows().map(([name, type]) => [String(name), String(type)]));
    expect(Object.keys(types)).toEqual([...COLUMNS, 'part']);
    expect(types).toMatchObject({
      received_at: 'TIMESTAMP WITH TIME ZONE',
      birth_date: 'DATE',
      adult_counts: 'INTEGER',
      warnings: 'VARCHAR[]',
      meal_plan: 'VARCHAR',
      part: 'BIGINT',
    });
    const sorted = await duckdb.runAndReadAll(
      `SELECT count(*) FROM (SELECT file_row_number AS found, row_number() OVER (PARTITION BY filename
        ORDER BY encode(property_id), encode(reservation_id) NULLS FIRST, event_id) - 1 AS place
       FROM read_parquet(['${names.join("', '")}'], file_row_number = true, filename = true)) WHERE found <> place`,
    );
    expect(sorted.getRowsJson()).toEqual([['0']]);
  });

  test.each([
    ['icebird', readWithIcebird],
    ['DuckDB', readWithDuckDb],
  ])('writes a table that %s reads as `events/` has it', async (_, read) => {
    const rows = await publishedRows(createObjectStore(service.store));
    expect(rows).toHaveLength(EVENTS.length);
    expect(await read(service.store)).toEqual(rows);
  });
});
