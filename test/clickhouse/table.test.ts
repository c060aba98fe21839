/** The table as ClickHouse sees it through the catalog and by its path, icebird, and DuckDB, row by row beside what is published. */

import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { generateStays } from '../../src/cli/generate-stays.ts';
import { runLocalCron } from '../../src/cli/local-crons.ts';
import { SECRETS_FILE } from '../../src/cli/local-secrets.ts';
import { type LocalService, startLocal } from '../../src/cli/local-service.ts';
import { createObjectStore, type ObjectStore } from '../../src/cli/object-store.ts';
import { PROJECT } from '../../src/cli/project.ts';
import { CLICKHOUSE } from '../../src/cli/schema/clickhouse.ts';
import { ATTACHMENTS } from '../../src/cli/schema/iceberg.ts';
import { printViews } from '../../src/cli/schema/views.ts';
import { TABLE_DATA, TABLE_METADATA } from '../../src/storage/iceberg/table.ts';
import { writeWatermark } from '../cli/events/publish.ts';
import { publishedRows, readWithDuckDb, readWithIcebird, type TableRow } from '../e2e/read-table.ts';
import { copyWithColumn } from '../project/copy-with-column.ts';
import { type ClickHouse, openClickHouse } from './engine.ts';

const EVENTS = 2_000;
const BATCH = 1_000;
const MS_PER_HOUR = 3_600_000;
const READER = `token-of-an-analyst-${'r'.repeat(32)}`;
const VARS = { API_TOKENS: JSON.stringify({ analyst: { tokens: [READER], role: 'reader' } }) };
const EVENTS_TABLE = 'lake.`reservations.events`';

let folder: string;
let service: LocalService;
let store: ObjectStore;
let clickhouse: ClickHouse;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'table-test-'));
  service = await startLocal({ stateDir: folder, show: false, vars: VARS });
  store = createObjectStore(service.store);
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

/**
 * Holds that every reader sees the rows of `events/`, and returns them.
 *
 * @param added - What rows have where they are older than a column.
 */
async function expectTheSame(added: object = {}): Promise<readonly TableRow[]> {
  const rows = (await publishedRows(store)).map((row) => ({ ...added, ...row }));
  // ClickHouse reads files below the working directory alone.
  const folder = await mkdtemp('.wrangler/table-');
  try {
    for (const prefix of [TABLE_DATA, TABLE_METADATA]) await download(prefix, folder);
    const query = (from: string) => `SELECT * FROM ${from} ORDER BY event_id`;
    expect(await clickhouse.records(query(EVENTS_TABLE)), 'ClickHouse through the catalog').toEqual(rows);
    const local = `icebergLocal('${join(folder, 'iceberg/events')}')`;
    expect(await clickhouse.records(query(local)), 'ClickHouse by the path').toEqual(rows);
    expect(await readWithIcebird(service.store), 'icebird').toEqual(rows);
    expect(await readWithDuckDb(service.store), 'DuckDB').toEqual(rows);
  } finally {
    await rm(folder, { recursive: true });
  }
  return rows;
}

async function download(prefix: string, folder: string): Promise<void> {
  for await (const { key } of store.list(prefix)) {
    await mkdir(dirname(join(folder, key)), { recursive: true });
    await writeFile(join(folder, key), (await store.get(key)) ?? '');
  }
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
  const rows = await publishedRows(store);
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
  expect(await objectsHolding(guest.Email)).toHaveLength(2);
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
  expect(await objectsHolding(guest.Email)).toEqual([]);
  await expectTheSame();
}, 120_000);

test('ClickHouse sees the same after a day was rewritten, and what comes late for it', async () => {
  await completeToday();
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

test('a column that comes later is null where rows are older, also after these are rewritten', async () => {
  await expectTheSame();
  const copy = await copyWithColumn();
  try {
    await service.stop();
    // With the same token, and the key that the erasure was asked for with.
    await cp(SECRETS_FILE, join(copy.root, relative(PROJECT, SECRETS_FILE)));
    const later: typeof import('../../src/cli/local-service.ts') = await import(
      `${copy.root}/src/cli/local-service.ts`
    );
    const port = Number(new URL(service.origin).port);
    service = await later.startLocal({ port, stateDir: folder, show: false, vars: VARS });
    const stay = generateStays(5).next().value;
    await sendBatch([{ ...stay, PromoCode: 'SUMMER' }]);
    await follow(13);
    expect(
      await clickhouse.rows(`SELECT promo_code, schema_version FROM ${EVENTS_TABLE} WHERE schema_version > 1`),
    ).toEqual([['SUMMER', 2]]);
    expect(await expectTheSame({ promo_code: null })).toHaveLength(EVENTS + 103);
    await completeToday();
    await run('table', 15);
    expect((await lastSnapshots())[0]).toBe('replace');
    await expectTheSame({ promo_code: null });
  } finally {
    await copy.remove();
  }
}, 120_000);

/** Says that everything of today is published. */
async function completeToday(): Promise<void> {
  const tomorrow = new Date(Date.now() + 24 * MS_PER_HOUR).toISOString();
  await writeWatermark(store, `${tomorrow.slice(0, 10)}T00:00:00.000Z`, (await lastEntry()).log_sequence);
}

async function dataFiles(): Promise<string[]> {
  return (await Array.fromAsync(store.list(TABLE_DATA))).map(({ key }) => key);
}

/** The objects of the whole bucket that hold a text, whatever names them. */
async function objectsHolding(text: string): Promise<string[]> {
  const keys = await Array.fromAsync(store.list(''), ({ key }) => key);
  expect(keys.some((key) => key.startsWith(TABLE_METADATA))).toBe(true);
  const holding = await Promise.all(keys.map((key) => holds(key, text)));
  return keys.filter((_, at) => holding[at]);
}

async function holds(key: string, text: string): Promise<boolean> {
  if (key.endsWith('.parquet')) {
    const { url, accessKeyId, secretAccessKey } = service.store;
    const file = `s3('${url}/${key}', '${accessKeyId}', '${secretAccessKey}', 'Parquet')`;
    const rows = await clickhouse.rows(`SELECT count() FROM ${file} WHERE toString(tuple(*)) LIKE '%${text}%'`);
    return rows[0]?.[0] !== 0;
  }
  const body = Buffer.from((await store.get(key)) ?? '');
  return (key.endsWith('.gz') ? gunzipSync(body) : body).includes(text);
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
