/** The table as ClickHouse sees it through the catalog, row by row beside what is published. */

import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { generateStays } from '../../src/cli/generate-stays.ts';
import { runLocalCron } from '../../src/cli/local-crons.ts';
import { type LocalService, startLocal } from '../../src/cli/local-service.ts';
import { type ObjectStore, openStore } from '../../src/cli/object-store.ts';
import { PROJECT } from '../../src/cli/project.ts';
import { CLICKHOUSE } from '../../src/cli/schema/clickhouse.ts';
import { ATTACHMENTS } from '../../src/cli/schema/iceberg.ts';
import { printViews } from '../../src/cli/schema/views.ts';
import { COLUMNS, type Row } from '../../src/contract/row.ts';
import { TABLE_DATA } from '../../src/storage/iceberg/table.ts';
import { writeWatermark } from '../cli/events/publish.ts';
import type { Engine } from '../cli/schema/engines.ts';
import { openClickHouse } from './engine.ts';

const EVENTS = 2_000;
const BATCH = 1_000;
const MS_PER_HOUR = 3_600_000;
const READER = `token-of-an-analyst-${'r'.repeat(32)}`;
const EVENTS_TABLE = 'lake.`reservations.events`';

/** A row of the table: with the sequence of its part. */
type TableRow = Row & { readonly part: number };

let folder: string;
let service: LocalService;
let store: ObjectStore;
let clickhouse: Engine;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'table-test-'));
  const API_TOKENS = JSON.stringify({ analyst: { tokens: [READER], role: 'reader' } });
  service = await startLocal({ stateDir: folder, show: false, vars: { API_TOKENS } });
  store = openStore(service.store);
  const stays = generateStays(1);
  for (let sent = 0; sent < EVENTS; sent += BATCH) {
    await sendBatch(Array.from({ length: BATCH }, () => stays.next().value));
  }
  await follow();
  clickhouse = await openClickHouse();
  await attach('lake', READER);
}, 120_000);

afterAll(async () => {
  await clickhouse.close();
  await service.stop();
  await rm(folder, { recursive: true });
});

async function sendBatch(events: readonly unknown[]): Promise<void> {
  const response = await fetch(`${service.endpoint}/batch`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${service.token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(events),
  });
  expect(response.ok, await response.clone().text()).toBe(true);
}

/** Runs a cron, as if it were so many hours later. */
function run(cron: 'publish' | 'table', hours: number): Promise<void> {
  return runLocalCron(service.origin, cron, Date.now() + hours * MS_PER_HOUR);
}

/** Publishes what has landed, and brings the table in line. */
async function follow(hours = 2): Promise<void> {
  expect(await service.drain()).toBe(0);
  await run('publish', hours);
  await run('table', hours);
}

/** Attaches the catalog as npm run schema -- iceberg prints it. */
async function attach(name: string, token: string): Promise<void> {
  const { accessKeyId, secretAccessKey } = service.store;
  const printed = ATTACHMENTS.find(({ engine }) => engine === 'ClickHouse')?.text ?? '';
  const values = {
    'https://<service>': service.origin,
    '<token>': token,
    '<key>': accessKeyId,
    '<secret>': secretAccessKey,
  };
  let sql = printed;
  for (const [placeholder, value] of Object.entries(values)) sql = sql.replace(placeholder, value);
  await clickhouse.run(sql.replace('DATABASE lake', `DATABASE ${name}`).replace('VIEW events', `VIEW ${name}_events`));
}

/** The rows of `events/` as its log has them, in the order of their identifiers. */
async function publishedRows(): Promise<TableRow[]> {
  const parts = new Map<string, number>();
  for await (const { key } of store.list('events/v1/_log/')) {
    const entry = JSON.parse(new TextDecoder().decode(await store.get(key)));
    parts.delete(entry.replaces);
    parts.set(entry.key, entry.sequence);
  }
  const rows: TableRow[] = [];
  for (const [key, part] of parts) {
    const lines = gunzipSync((await store.get(key)) ?? new Uint8Array()).toString();
    for (const line of lines.trimEnd().split('\n')) rows.push({ ...JSON.parse(line), part });
  }
  return rows.sort((left, right) => (left.event_id < right.event_id ? -1 : 1));
}

/** The rows that ClickHouse reads, as the contract spells them. */
async function tableRows(): Promise<unknown[][]> {
  const times = COLUMNS.map((name) =>
    /(?:_at|_utc)$/.test(name) ? `formatDateTime(${name}, '%Y-%m-%dT%H:%i:%S.%fZ') AS ${name}_text` : name,
  );
  return clickhouse.rows(`SELECT ${times.join(', ')}, part FROM ${EVENTS_TABLE} ORDER BY event_id`);
}

async function expectTheSame(): Promise<readonly TableRow[]> {
  const rows = await publishedRows();
  const expected = rows.map((row) => [...COLUMNS, 'part' as const].map((name) => asClickHouse(name, row[name])));
  expect(await tableRows()).toEqual(expected);
  return rows;
}

/** Microseconds in times, and digits as the engine under test gives them. */
function asClickHouse(name: string, value: unknown): unknown {
  if (typeof value !== 'string') return value ?? null;
  if (/(?:_at|_utc)$/.test(name)) return value.replace(/Z$/, '000Z');
  return /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(value) ? Number(value) : value;
}

test('ClickHouse counts, groups and joins every event that was sent, right to the row', async () => {
  expect(await clickhouse.rows('SHOW TABLES FROM lake')).toEqual([['reservations.events']]);
  const rows = await expectTheSame();
  expect(rows).toHaveLength(EVENTS);
  const groups = Map.groupBy(rows, (row) => `${row.property_id} ${row.reservation_state}`);
  expect(
    await clickhouse.rows(
      `SELECT concat(property_id, ' ', reservation_state) AS name, count() FROM ${EVENTS_TABLE} GROUP BY name ORDER BY name`,
    ),
  ).toEqual([...groups].map(([name, { length }]) => [name, length]).sort());
  await clickhouse.run('CREATE TABLE hotels (property_id String, city String) ENGINE = Memory');
  const [first] = rows;
  await clickhouse.run(`INSERT INTO hotels VALUES ('${first?.property_id}', 'Prague')`);
  const there = rows.filter(({ property_id }) => property_id === first?.property_id);
  expect(
    await clickhouse.rows(
      `SELECT city, count(), min(part) FROM ${EVENTS_TABLE} JOIN hotels USING (property_id) GROUP BY city`,
    ),
  ).toEqual([['Prague', there.length, 1]]);
});

test('ClickHouse has the views over the table', async () => {
  await clickhouse.run('CREATE VIEW events AS SELECT * FROM lake_events');
  await clickhouse.run(printViews(CLICKHOUSE));
  const rows = await publishedRows();
  const reservations = new Set(rows.map(({ property_id, reservation_id }) => `${property_id} ${reservation_id}`));
  expect(await clickhouse.rows('SELECT count() FROM latest_reservations')).toEqual([[reservations.size]]);
});

test('ClickHouse sees what is appended', async () => {
  const stays = generateStays(2);
  await sendBatch(Array.from({ length: 100 }, () => stays.next().value));
  await follow();
  expect(await expectTheSame()).toHaveLength(EVENTS + 100);
});

test('ClickHouse sees nothing of an erased guest, and no object holds the bytes any more', async () => {
  const guest = { Email: 'erased@guest.example', LastName: 'Novak', FirstName: 'Amelie' };
  const stay = generateStays(4).next().value;
  await sendBatch([{ ...stay, ...guest }]);
  await follow();
  const ofGuest = `SELECT count() FROM ${EVENTS_TABLE} WHERE email = '${guest.Email}'`;
  expect(await clickhouse.rows(ofGuest)).toEqual([[1]]);
  const showing = await dataFiles();
  const { url: R2_URL, accessKeyId: R2_ACCESS_KEY_ID, secretAccessKey: R2_SECRET_ACCESS_KEY } = service.store;
  const env = { ...process.env, R2_URL, R2_ACCESS_KEY_ID, R2_SECRET_ACCESS_KEY };
  const command = [join(PROJECT, 'src/cli/guests.ts'), 'erase', '--email', guest.Email, '--yes'];
  // It follows the erasure to its end, which the table reaches an hour later.
  const erased = promisify(execFile)(process.execPath, command, { env });
  await vi.waitFor(async () => expect((await lastEntry()).operation).toBe('replace'), 30_000);
  await run('table', 3);
  expect(await clickhouse.rows(ofGuest)).toEqual([[0]]);
  await expectTheSame();
  // Queries that run may still read the snapshots before, for an hour.
  await run('table', 5);
  await run('table', 7);
  await erased;
  const left = await dataFiles();
  expect(left.filter((key) => showing.includes(key)).length).toBeLessThan(showing.length);
  const emails = await Promise.all(
    left.map((key) => clickhouse.rows(`SELECT count() FROM ${fromBucket(key)} WHERE email = '${guest.Email}'`)),
  );
  expect(emails.flat(2)).toEqual(left.map(() => 0));
  await expectTheSame();
}, 120_000);

test('ClickHouse sees the same after a day was rewritten, and what comes late for it', async () => {
  const { log_sequence } = await lastEntry();
  const tomorrow = new Date(Date.now() + 24 * MS_PER_HOUR).toISOString();
  await writeWatermark(store, `${tomorrow.slice(0, 10)}T00:00:00.000Z`, log_sequence);
  const before = await dataFiles();
  expect(before.length).toBeGreaterThan(1);
  await run('table', 9);
  const [operation] = await lastSnapshots();
  expect(operation).toBe('replace');
  expect(await expectTheSame()).toHaveLength(EVENTS + 101);
  const stays = generateStays(3);
  await sendBatch([stays.next().value]);
  await follow(11);
  expect(await expectTheSame()).toHaveLength(EVENTS + 102);
});

test("ClickHouse is refused with a wrong token and with a sender's, and cannot write", async () => {
  for (const [name, token, message] of [
    ['wrong', `${READER}x`, 'The bearer token is not valid'],
    ['sender', service.token, 'The token is for sending events'],
  ] as const) {
    await expect(attach(name, token).then(() => clickhouse.rows(`SHOW TABLES FROM ${name}`))).rejects.toThrow(message);
  }
  const insert = clickhouse.run(`INSERT INTO ${EVENTS_TABLE} (event_id) VALUES ('x')`);
  await expect(insert).rejects.toThrow();
  await expectTheSame();
});

async function dataFiles(): Promise<string[]> {
  return (await Array.fromAsync(store.list(TABLE_DATA))).map(({ key }) => key);
}

/** What an object of the table holds, read without the table. */
function fromBucket(key: string): string {
  const { url, accessKeyId, secretAccessKey } = service.store;
  return `s3('${url}/${key}', '${accessKeyId}', '${secretAccessKey}', 'Parquet')`;
}

async function lastEntry(): Promise<{ log_sequence: number; operation: string }> {
  const keys = await Array.fromAsync(store.list('events/v1/_log/'));
  const entry = JSON.parse(new TextDecoder().decode(await store.get(keys.at(-1)?.key ?? '')));
  return { log_sequence: entry.sequence, operation: entry.operation };
}

/** What the last snapshots have done, the newest first. */
async function lastSnapshots(): Promise<string[]> {
  const headers = { Authorization: `Bearer ${READER}` };
  const response = await fetch(`${service.origin}/iceberg/v1/namespaces/reservations/tables/events`, { headers });
  const { metadata } = (await response.json()) as { metadata: { snapshots: { summary: { operation: string } }[] } };
  return metadata.snapshots.map(({ summary }) => summary.operation).reverse();
}
