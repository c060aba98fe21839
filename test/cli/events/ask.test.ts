/** Questions to DuckDB, about no events or about files made by hand. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { DuckDBConnection } from '@duckdb/node-api';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ask, checkQuery } from '../../../src/cli/events/ask.ts';
import { readRows } from '../../../src/cli/schema/duckdb.ts';
import { idsIn, makePart } from './publish.ts';

const HOUR = 'dt=2026-03-01/hour=09';
const NEVER = new AbortController().signal;

let folder: string;
let file: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'events-test-'));
  file = join(folder, 'part.ndjson.gz');
  await writeFile(file, makePart(1, HOUR, idsIn(HOUR, 10)).body);
});

afterAll(() => rm(folder, { recursive: true }));

/** The lines that are printed. */
async function answer(query: string, signal = NEVER): Promise<string[]> {
  const lines: string[] = [];
  await ask([file], {}, query, folder, signal, async (rows) => {
    for (const row of rows) lines.push(JSON.stringify(row));
  });
  return lines;
}

test.each([
  ['count(*)', 'FROM events', '10'],
  ['sum(1)', 'FROM events', '10'],
  ['9007199254740993::BIGINT', '', '9007199254740993'],
  ['170141183460469231731687303715884105727::HUGEINT', '', '170141183460469231731687303715884105727'],
  ['-1.50::DECIMAL(9, 2)', '', '-1.50'],
  ['[1::BIGINT, 2]', '', '[1,2]'],
  ['{a: 1::BIGINT}', '', '{"a":1}'],
  ["'nan'::DOUBLE", '', '"NaN"'],
  ['NULL::BIGINT', '', 'null'],
  ["'007'", '', '"007"'],
  ['min(received_at)', 'FROM events', '"2026-03-01T09:00:00.000Z"'],
  ["date_trunc('day', min(received_at))::DATE", 'FROM events', '"2026-03-01"'],
  ["TIMESTAMP '9999-12-31 23:59:59.999999'", '', '"9999-12-31T23:59:59.999Z"'],
  ["TIMESTAMP '1899-12-31 23:59:59.999999'", '', '"1899-12-31T23:59:59.999Z"'],
  ["TIMESTAMP_S '2026-03-01 09:00:00'", '', '"2026-03-01T09:00:00.000Z"'],
  ["TIMESTAMP_MS '2026-03-01 09:00:00.5'", '', '"2026-03-01T09:00:00.500Z"'],
  ["TIMESTAMP_NS '2026-03-01 09:00:00.123456789'", '', '"2026-03-01T09:00:00.123Z"'],
  ["'infinity'::TIMESTAMP", '', '"infinity"'],
  ['to_timestamp(0)', '', '"1970-01-01T00:00:00.000Z"'],
])('`ask()` answers %s as JSON', async (expression, from, expected) => {
  expect(await answer(`SELECT ${expression} AS x ${from}`)).toEqual([`{"x":${expected}}`]);
});

test('`ask()` keeps to the range', async () => {
  const times: string[] = [];
  const range = { from: new Date('2026-03-01T09:00:00.002Z'), to: new Date('2026-03-01T09:00:00.004Z') };
  await ask([file], range, 'SELECT received_at AS t FROM events ORDER BY t', folder, NEVER, async (rows) => {
    times.push(...rows.map(({ t }) => String(t)));
  });
  expect(times).toEqual(['2026-03-01T09:00:00.002Z', '2026-03-01T09:00:00.003Z']);
});

test('`ask()` ends a query that is interrupted', async () => {
  const controller = new AbortController();
  const reason = new Error('Interrupted');
  const endless = answer('SELECT count(*) FROM range(1000000000000) AS a, events', controller.signal);
  controller.abort(reason);
  await expect(endless).rejects.toBe(reason);
});

test('`ask()` puts what does not fit into memory into the folder that it is given', async () => {
  expect(await answer("SELECT current_setting('temp_directory') AS x")).toEqual([JSON.stringify({ x: folder })]);
});

test.each([
  ['SELEC 1', 'Parser Error'],
  ['SELECT nothing FROM events', 'Binder Error'],
  ['SELECT 1 FROM nowhere', 'Catalog Error'],
  ['SELECT 1; SELECT 2', 'one statement at a time'],
])('`checkQuery()` refuses %j without any event', async (query, why) => {
  await expect(checkQuery(query)).rejects.toThrow(why);
});

test.each(['SELECT * FROM latest_reservations', 'DESCRIBE events', 'WITH a AS (SELECT 1) SELECT * FROM a;'])(
  '`checkQuery()` takes %j',
  async (query) => {
    await checkQuery(query);
  },
);

test('`ask()` reads columnar files, parts and landed lines as one, each event once and with the same types', async () => {
  const [one, two, three] = [idsIn(HOUR, 3), idsIn(HOUR, 2), idsIn(HOUR, 1)].map((ids, at) =>
    makePart(at + 1, HOUR, ids),
  );
  if (one === undefined || two === undefined || three === undefined) throw new Error('Cannot make three parts');
  await writeFile(join(folder, 'one.ndjson.gz'), one.body);
  await writeFile(join(folder, 'two.ndjson.gz'), two.body);
  // Landed twice, of which one is published in each of the other forms since.
  const landed = [one, two, three].map(({ body }) => gunzipSync(body).toString().split('\n')[0]);
  await writeFile(join(folder, 'landed.ndjson'), `${landed.join('\n')}\n`);
  const connection = await DuckDBConnection.create();
  // As the service writes it: times with a zone; and as an older version would, without a column.
  await connection.run("SET TimeZone = 'UTC'");
  const select = `SELECT * EXCLUDE occurred_at REPLACE (received_at::TIMESTAMPTZ AS received_at, start_utc::TIMESTAMPTZ AS start_utc)`;
  await connection.run(
    `COPY (${select} FROM ${readRows(`'${join(folder, 'one.ndjson.gz')}'`)}) TO '${join(folder, 'one.parquet')}'`,
  );
  connection.closeSync();

  const files = ['one.parquet', 'two.ndjson.gz', 'landed.ndjson'].map((name) => join(folder, name));
  const read = async (query: string, range = {}) => {
    const lines: unknown[] = [];
    await ask(files, range, query, folder, NEVER, async (rows) => {
      lines.push(...rows.map((row) => JSON.parse(JSON.stringify(row))));
    });
    return lines;
  };
  const ids = [one, two, three].flatMap(({ eventIds }) => eventIds).sort();
  expect(await read('SELECT event_id FROM events ORDER BY event_id')).toEqual(ids.map((event_id) => ({ event_id })));
  expect(
    await read('SELECT DISTINCT typeof(received_at) AS t, typeof(occurred_at) AS o, warnings FROM events'),
  ).toEqual([{ t: 'TIMESTAMP', o: 'TIMESTAMP', warnings: [] }]);
  const from = { from: new Date('2026-03-01T09:00:00.001Z'), to: new Date('2026-03-01T09:00:00.002Z') };
  expect(await read('SELECT received_at AS t FROM events', from)).toEqual([
    { t: '2026-03-01T09:00:00.001Z' },
    { t: '2026-03-01T09:00:00.001Z' },
  ]);
});
