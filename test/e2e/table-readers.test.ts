/** The table as others read it: DuckDB its Parquet files, and icebird all of it, beside the rows of `events/`. */

import { mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { DuckDBInstance } from '@duckdb/node-api';
import { AwsClient } from 'aws4fetch';
import { icebergRead } from 'icebird';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { runLocalCron } from '../../src/cli/local-crons.ts';
import type { LocalService } from '../../src/cli/local-service.ts';
import { openStore } from '../../src/cli/object-store.ts';
import { COLUMNS, type Row } from '../../src/contract/row.ts';
import { TABLE_DATA, tableVersionKey } from '../../src/storage/iceberg/table.ts';
import { FULL_EVENT, SMALL_EVENT } from '../sample.ts';
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

/** A row of the table. */
type TableRow = Row & { readonly part: number };

const MS_PER_HOUR = 3_600_000;

let folder: string;
let service: LocalService;
let rows: TableRow[];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'table-readers-'));
  service = await sharedService();
  // Two parts, so that there are two files.
  for (const [at, events] of [EVENTS.slice(0, 10), EVENTS.slice(10)].entries()) {
    for (const event of events) await send(event);
    expect(await service.drain()).toBe(0);
    for (const cron of ['publish', 'table'] as const) {
      await runLocalCron(service.origin, cron, Date.now() + (at + 2) * MS_PER_HOUR);
    }
  }
  rows = await publishedRows();
  expect(rows).toHaveLength(EVENTS.length);
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true }));

async function send(event: object): Promise<void> {
  const headers = { Authentication: `Bearer ${service.token}`, 'Content-Type': 'application/json' };
  const response = await fetch(service.endpoint, { method: 'POST', headers, body: JSON.stringify(event) });
  expect(response.status).toBe(202);
}

/** The rows of `events/`, in the order of their identifiers, each with the sequence of its part. */
async function publishedRows(): Promise<TableRow[]> {
  const store = openStore(service.store);
  const found: TableRow[] = [];
  for await (const { key } of store.list('events/v1/_log/')) {
    const { sequence, key: part } = JSON.parse(Buffer.from((await store.get(key)) ?? []).toString());
    const lines = gunzipSync((await store.get(part)) ?? new Uint8Array()).toString();
    for (const line of lines.trimEnd().split('\n')) found.push({ ...JSON.parse(line), part: sequence });
  }
  return found.sort((left, right) => (left.event_id < right.event_id ? -1 : 1));
}

describe('runTable()', () => {
  test('writes files that DuckDB reads as `events/` has them, with times as times and dates as dates', async () => {
    const store = openStore(service.store);
    const keys = (await Array.fromAsync(store.list(TABLE_DATA))).map(({ key }) => key);
    expect(keys).toHaveLength(2);
    const names = keys.map((_, at) => join(folder, `${at}.parquet`));
    for (const [at, key] of keys.entries()) await writeFile(names[at] ?? '', (await store.get(key)) ?? '');
    const duckdb = await (await DuckDBInstance.create()).connect();
    await duckdb.run("SET TimeZone = 'UTC'");
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
    const columns = Object.entries(types).map(([name, type]) =>
      type === 'TIMESTAMP WITH TIME ZONE' ? `strftime(${name}, '%Y-%m-%dT%H:%M:%S.%gZ') AS ${name}` : name,
    );
    const read = await duckdb.runAndReadAll(`SELECT ${columns} FROM ${from} ORDER BY event_id`);
    expect(read.getRowObjectsJson()).toEqual(rows.map((row) => ({ ...row, part: String(row.part) })));
    const sorted = await duckdb.runAndReadAll(
      `SELECT count(*) FROM (SELECT file_row_number AS found, row_number() OVER (PARTITION BY filename
        ORDER BY encode(property_id), encode(reservation_id) NULLS FIRST, event_id) - 1 AS place
       FROM read_parquet(['${names.join("', '")}'], file_row_number = true, filename = true)) WHERE found <> place`,
    );
    expect(sorted.getRowsJson()).toEqual([['0']]);
  });

  test('writes a table that icebird reads as `events/` has it', async () => {
    const { url: bucket, accessKeyId, secretAccessKey } = service.store;
    const key = tableVersionKey(3);
    const metadata = JSON.parse(Buffer.from((await openStore(service.store).get(key)) ?? []).toString());
    const s3 = new AwsClient({ accessKeyId, secretAccessKey, service: 's3', region: 'auto' });
    const direct = fetch;
    // It asks for s3:// addresses at the endpoint of Amazon.
    vi.stubGlobal('fetch', async (url: string, init?: RequestInit) =>
      direct(await s3.sign(url.replace('https://reservation-events.s3.amazonaws.com', bucket), init)),
    );
    try {
      const read = await icebergRead({ tableUrl: metadata.location, metadata });
      const plain = read.map((row) =>
        Object.fromEntries(Object.entries(row).map(([name, value]) => [name, asStored(name, value)])),
      );
      expect(plain.sort((left, right) => (String(left.event_id) < String(right.event_id) ? -1 : 1))).toEqual(rows);
    } finally {
      vi.unstubAllGlobals();
    }
  });
});

function asStored(name: string, value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof Date) return name === 'birth_date' ? value.toISOString().slice(0, 10) : value.toISOString();
  return value ?? null;
}
