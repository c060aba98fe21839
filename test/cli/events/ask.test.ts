/** Questions to DuckDB, about no events or about files made by hand. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ask, checkQuery } from '../../../src/cli/events/ask.ts';
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
  await ask({ table: [], published: [file], landed: [] }, {}, query, folder, signal, async (rows) => {
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
  await ask(
    { table: [], published: [file], landed: [] },
    range,
    'SELECT received_at AS t FROM events ORDER BY t',
    folder,
    NEVER,
    async (rows) => {
      times.push(...rows.map(({ t }) => String(t)));
    },
  );
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

test('`ask()` reads parts and landed lines as one, each event once', async () => {
  const part = makePart(1, HOUR, idsIn(HOUR, 2));
  const fresh = makePart(2, HOUR, idsIn(HOUR, 1));
  await writeFile(join(folder, 'two.ndjson.gz'), part.body);
  // One that is published since, and one that landed twice.
  const [published, unpublished] = [part, fresh].map(({ body }) => gunzipSync(body).toString().split('\n')[0]);
  await writeFile(join(folder, 'landed.ndjson'), `${published}\n${unpublished}\n${unpublished}\n`);
  const files = { table: [], published: [join(folder, 'two.ndjson.gz')], landed: [join(folder, 'landed.ndjson')] };
  const read = async (range = {}) => {
    const found: unknown[] = [];
    await ask(files, range, 'SELECT event_id FROM events ORDER BY event_id', folder, NEVER, async (rows) => {
      found.push(...rows.map(({ event_id }) => event_id));
    });
    return found;
  };
  expect(await read()).toEqual([...part.eventIds, ...fresh.eventIds].sort());
  expect(await read({ from: new Date('2026-03-01T09:00:00.001Z') })).toEqual(part.eventIds.slice(1));
});
