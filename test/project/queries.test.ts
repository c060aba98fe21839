/** The queries in docs/operating.md on data points, with DuckDB in place of Analytics Engine. */

import { readFileSync } from 'node:fs';
import { DuckDBInstance } from '@duckdb/node-api';
import { beforeAll, expect, test } from 'vitest';
import { BLOBS, type DataPoint, DOUBLES, writeDataPoint } from '../../src/telemetry/data-point.ts';

const QUERIES = [
  ...readFileSync('docs/operating.md', 'utf8').matchAll(
    /```sql\n(SELECT[\s\S]*?reservation_events_production[\s\S]*?)```/g,
  ),
].map(([, sql = '']) => sql);
const QUEUE = 'reservation-events-production';
const REQUEST = {
  kind: 'request',
  source: 'hotel-a',
  count: 1,
  duration_ms: 10,
  status: 202,
  token: 1,
} as const;
const BATCH = {
  kind: 'batch',
  source: QUEUE,
  duration_ms: 5,
  age_ms: 60_000,
} as const;

const RUN = { ...BATCH, kind: 'run', outcome: 'done', source: 'publish', duration_ms: 900 } as const;

const HAPPENINGS: readonly DataPoint[] = [
  ...Array.from({ length: 10 }, () => ({ ...REQUEST, outcome: 'accepted', stored_in: 'queue' })),
  { ...REQUEST, outcome: 'accepted', stored_in: 'r2', duration_ms: 1_600, token: 2 },
  { ...REQUEST, outcome: 'invalid_event', status: 422, stored_in: 'queue' },
  { ...REQUEST, outcome: 'forbidden_integration', status: 403, stored_in: 'queue' },
  { ...REQUEST, outcome: 'stores_timed_out', status: 503 },
  { ...REQUEST, outcome: 'too_many_requests', status: 429 },
  { ...REQUEST, source: '', outcome: 'too_many_wrong_tokens', status: 429, token: 0 },
  { ...RUN, count: 30, objects: 2, age_ms: 400_000 },
  { ...RUN, count: 12, objects: 1, age_ms: 300_000 },
  { ...BATCH, outcome: 'landed', count: 7 },
  { ...BATCH, outcome: 'retried', count: 2 },
  { ...BATCH, outcome: 'dead_lettered', count: 1, source: `${QUEUE}-dead-letter` },
  { ...BATCH, outcome: 'rejected', count: 2, source: `${QUEUE}-rejected` },
  { ...BATCH, outcome: 'dead_lettered', count: 1, source: `${QUEUE}-rejected-dead-letter` },
];

let ask: (sql: string) => Promise<Record<string, unknown>[]>;

beforeAll(async () => {
  const connection = await (await DuckDBInstance.create()).connect();
  const texts = ['index1', ...BLOBS.map((_, at) => `blob${at + 1}`)];
  const numbers = DOUBLES.map((_, at) => `double${at + 1}`);
  const columns = [...texts.map((name) => `${name} text`), ...numbers.map((name) => `${name} double`)];
  await connection.run(
    `create table reservation_events_production (timestamp timestamptz default now(), _sample_interval double default 1, ${columns.join(', ')})`,
  );
  const points: string[] = [];
  const dataset = {
    writeDataPoint: ({ indexes, blobs, doubles }: { indexes: string[]; blobs: string[]; doubles: number[] }) =>
      points.push(`(${[...indexes, ...blobs].map((text) => `'${text}'`).join(', ')}, ${doubles.join(', ')})`),
  };
  for (const happening of HAPPENINGS) writeDataPoint(dataset, happening);
  await connection.run(
    `insert into reservation_events_production (${[...texts, ...numbers].join(', ')}) values ${points.join(', ')}`,
  );
  // An old point that no query may count.
  await connection.run(
    `insert into reservation_events_production select * replace (now() - interval 3 days as timestamp) from reservation_events_production`,
  );
  ask = async (sql) => (await connection.runAndReadAll(dialect(sql))).getRowObjectsJson();
});

/** Analytics Engine's one function that DuckDB has under another name; weights are all 1 here. */
function dialect(sql: string): string {
  return sql.replace(/quantileExactWeighted\(([\d.]+)\)\((\w+), _sample_interval\)/g, 'quantile_disc($2, $1)');
}

test('docs/operating.md has no query that no test here asks', () => {
  expect(QUERIES).toHaveLength(6);
});

test('the first says what became of the events, and the refused bodies are not among them', async () => {
  const [row] = await ask(QUERIES[0] ?? '');
  expect(row).toEqual({ accepted: 10, accepted_into_r2: 1, landed: 7, dead_lettered: 1 });
});

test('the second counts outcomes by sender', async () => {
  const rows = await ask(QUERIES[1] ?? '');
  expect(rows[0]).toEqual({ sender: 'hotel-a', outcome: 'accepted', requests: 11 });
  expect(rows).toContainEqual({ sender: '', outcome: 'too_many_wrong_tokens', requests: 1 });
});

test('the third tells how long things take', async () => {
  const rows = await ask(QUERIES[2] ?? '');
  expect(rows).toContainEqual({ kind: 'request', median_ms: 10, p99_ms: 1_600, oldest_ms: 0 });
  expect(rows).toContainEqual({ kind: 'batch', median_ms: 5, p99_ms: 5, oldest_ms: 60_000 });
});

test('the fourth tells which tokens are in use', async () => {
  const rows = await ask(QUERIES[3] ?? '');
  expect(rows).toMatchObject([
    { sender: 'hotel-a', token: 1, requests: 14 },
    { sender: 'hotel-a', token: 2, requests: 1 },
  ]);
});

test('the fifth counts what the alerts are about', async () => {
  const [row] = await ask(QUERIES[4] ?? '');
  const expected = {
    unavailable: 1,
    accepted_into_r2: 1,
    retried: 2,
    dead_lettered: 2,
    forbidden: 1,
    limited: 1,
    guessed: 1,
  };
  expect(row).toEqual(expected);
});

test('the sixth tells what runs have published', async () => {
  const rows = await ask(QUERIES[5] ?? '');
  const run = {
    outcome: 'done',
    version: '',
    runs: 2,
    published_rows: 42,
    objects: 3,
    longest_ms: 900,
    lag_ms: 400_000,
  };
  expect(rows).toEqual([run]);
});
