/** Events out of R2 as a data team gets them, after they have gone the whole way. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, inflateRawSync } from 'node:zlib';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { readLog } from '../../src/cli/events/published-log.ts';
import { pull } from '../../src/cli/events/pull.ts';
import { verifyTable } from '../../src/cli/events/verify-table.ts';
import { generateStays } from '../../src/cli/generate-stays.ts';
import { runLocalCron } from '../../src/cli/local-crons.ts';
import type { LocalService } from '../../src/cli/local-service.ts';
import { createObjectStore, type ObjectStore } from '../../src/cli/object-store.ts';
import { duckdb } from '../../src/cli/schema/duckdb.ts';
import { COLUMNS } from '../../src/contract/row.ts';
import { NO_READINGS } from '../../src/publish/readings.ts';
import { sharedService } from '../e2e/shared-service.ts';
import { FULL_EVENT, SMALL_EVENT } from '../sample.ts';
import { bucketOf, pathOf, run } from './commands.ts';

/** What files have to stand, beside what is usual. */
const AWKWARD = [
  SMALL_EVENT,
  { ...SMALL_EVENT, ReservationId: '0012', CustomerId: '12345678901234567890', RateId: '1e5', Phone: '0041' },
  {
    ...SMALL_EVENT,
    StaffComment: 'lines\u2028and\u2029and\u0085and\nand\r\nend',
    FirstName: '\ud800',
    LastName: 'a\0b',
  },
  { ...SMALL_EVENT, BirthDate: '', CreatedUtc: '', Email: '  ' },
  { ...SMALL_EVENT, BirthDate: '1899-12-31', Unknown: { STARTUTC: 1, startUtc: [null] } },
  { ...SMALL_EVENT, StaffComment: '🏨"\\/{}\t', AdultCounts: '2', AsssignedResourceNumber: '9' },
  FULL_EVENT,
];

/** A → B → A of one reservation, and A once more right after. */
const BACK_AND_FORTH = ['101', '102', '101', '101'].map((room) => ({
  ...SMALL_EVENT,
  ReservationId: 'res-back-and-forth',
  AssignedResourceNumber: room,
}));

/** Nothing interrupts the work. */
const NEVER = new AbortController().signal;

const THOROUGH = process.env.THOROUGH === '1';

let service: LocalService;
let store: ObjectStore;
let folder: string;
/** Every line, by event_id, as it landed. */
const lines = new Map<string, string>();
/** The lines of an hour long over. */
let old: string[];
const OLD_PARTITION = 'dt=2026-03-01/hour=09';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reservation-events-'));
  service = await sharedService();
  store = createObjectStore(service.store);
  const stays = generateStays(1);
  const sent = [...AWKWARD, ...Array.from({ length: 60 }, () => stays.next().value), ...BACK_AND_FORTH];
  for (const event of sent) await send(event);
  await vi.waitFor(async () => {
    for (const line of await landedLines()) lines.set(line.slice(13, 49), line);
    expect(lines.size).toBe(sent.length);
  }, 30_000);
  old = [...lines.values()].slice(0, 10).map(moveToOldHour);
  for (const line of old) lines.set(line.slice(13, 49), line);
  await store.create(`landing/${OLD_PARTITION}/019ca8b4-2000-7000-8000-000000000001.ndjson`, old.join(''));
  await store.create('publish/watermark.json', JSON.stringify(stateAfterHalfAnHour()));
}, 120_000);

afterAll(() => rm(folder, { recursive: true }));

/** What the publisher knows when it has run for a while: the watermark rests on the readings of 23 minutes. */
function stateAfterHalfAnHour(): object {
  const minutes = [28, 23, 18, 13, 8, 3].map((ago) => Date.now() - ago * 60_000);
  const window = minutes.map((at) => [at, at - 5 * 60_000]);
  return { readings: { ...NO_READINGS, window }, watermark: null, messages_counted_at: 0 };
}

async function send(event: object): Promise<void> {
  const response = await fetch(service.endpoint, {
    method: 'POST',
    headers: { Authentication: `Bearer ${service.token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(event),
  });
  expect(response.status, await response.text()).toBe(202);
}

async function landedLines(): Promise<string[]> {
  const texts: string[] = [];
  for await (const { key } of store.list('landing/')) texts.push(new TextDecoder().decode(await store.get(key)));
  return texts.flatMap((text) => text.match(/.*\n/g) ?? []);
}

/** The same event as if it had been received at 09:00 of an old day. */
function moveToOldHour(line: string): string {
  const time = Date.parse('2026-03-01T09:00:00Z').toString(16).padStart(12, '0');
  return line
    .replace(/(?<="event_id":")[\da-f]{8}-[\da-f]{4}/, `${time.slice(0, 8)}-${time.slice(8)}`)
    .replace(/(?<="received_at":")[^"]+/, '2026-03-01T09:00:00.000Z');
}

function publish(): Promise<void> {
  return runLocalCron(service.origin, 'publish');
}

function runWith(variables: Readonly<Record<string, string>>, ...args: string[]) {
  return run('events', args, { cwd: folder, env: { ...bucketOf(service), ...variables } });
}

function events(...args: string[]) {
  return runWith({}, ...args);
}

async function keysOf(prefix: string): Promise<string[]> {
  return (await Array.fromAsync(store.list(prefix))).map(({ key }) => key);
}

const linesOf = (text: string) => text.match(/.*\n/g) ?? [];
const sorted = (some: Iterable<string>) => [...some].sort();

async function sql(query: string, ...options: string[]): Promise<Record<string, unknown>[]> {
  const { stdout } = await events('sql', query, ...options);
  return linesOf(stdout).map((line) => JSON.parse(line));
}

describe('before anything is published', () => {
  test('show prints what has landed when it is asked for', async () => {
    const { stdout, stderr } = await events('show');
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^No events found\. There is no watermark yet: .*; --source both includes/);
    const landed = await events('show', '--source', 'landing');
    expect(sorted(linesOf(landed.stdout))).toEqual(sorted(lines.values()));
    expect(landed.stderr).toBe('');
  });

  test('sql answers about no events at all', async () => {
    expect(await sql('SELECT count(*)::INT AS events FROM latest_reservations')).toEqual([{ events: 0 }]);
  });

  test('list says that there is no watermark yet', async () => {
    expect((await events('list')).stderr).toContain('0 objects, 0 bytes. There is no watermark yet');
  });
});

describe('after it is published', () => {
  beforeAll(async () => {
    await publish();
    expect(await landedLines()).toEqual([]);
    // The late twin of an event that is published, and a new event beside it.
    const [twin = ''] = old;
    const fresh = twin.replace(/(?<=-)[\da-f]{12}(?=")/, '0123456789ab');
    await store.create(`landing/${OLD_PARTITION}/019ca8b4-2000-7000-8000-000000000002.ndjson`, twin + fresh + fresh);
  });

  test('list lists one object an hour and says up to when they are complete', async () => {
    const { stdout, stderr } = await events('list');
    const keys = linesOf(stdout).map((line) => line.trim().split('  ')[1]);
    expect(keys.length).toBeLessThanOrEqual(3);
    for (const key of keys)
      expect(key).toMatch(/^events\/v1\/dt=\d{4}-\d\d-\d\d\/hour=\d\d\/[\da-f-]{36}\.ndjson\.gz$/);
    expect(stderr).toMatch(/events\/ is complete up to \d{4}-/);
  });

  test('show prints each event once, byte for byte as it landed', async () => {
    expect(sorted(linesOf((await events('show')).stdout))).toEqual(sorted(lines.values()));
  });

  test('show takes both sources, and each event once from the two', async () => {
    const { stdout } = await events('show', '--source', 'both');
    expect(linesOf(stdout)).toHaveLength(lines.size + 1);
    expect(new Set(linesOf(stdout).map((line) => line.slice(13, 49))).size).toBe(lines.size + 1);
  });

  test.each([
    [['--from', '2026-03-01T09:00Z', '--to', '2026-03-01T10:00Z'], 10],
    [['--from', '2026-03-01T09:00:00.001Z', '--to', '2026-03-02'], 0],
    [['--to', '2026-03-01T09:00Z'], 0],
    [['--to', '2026-03-01T09:00:00.001Z'], 10],
  ])('show keeps to %j', async (range, expected) => {
    const { stdout, stderr } = await events('show', ...range);
    expect(linesOf(stdout)).toHaveLength(expected);
    expect(stderr.includes('No events found')).toBe(expected === 0);
  });

  test('sql has typed views: current states, and repeats collapsed without losing A → B → A', async () => {
    const where = "WHERE reservation_id = 'res-back-and-forth'";
    const [answer] = await sql(`SELECT
      (SELECT list(assigned_resource_number) FROM latest_reservations ${where}) AS latest,
      (SELECT list(assigned_resource_number ORDER BY event_id) FROM distinct_events ${where}) AS distinct_events,
      (SELECT list(DISTINCT typeof(start_utc) || ' ' || typeof(reservation_id)) FROM events) AS types`);
    expect(answer).toEqual({
      latest: ['101'],
      distinct_events: ['101', '102', '101'],
      types: ['TIMESTAMP VARCHAR'],
    });
  });

  test('sql says what is wrong with a query before it asks the bucket', async () => {
    const query = runWith({ R2_URL: 'http://127.0.0.1:1/bucket' }, 'sql', 'SELECT nothing FROM events');
    await expect(query).rejects.toThrow('Binder Error');
  });

  test('pull copies what is new', async () => {
    const target = join(folder, 'copy');
    const first = await events('pull', target);
    expect(first.stderr).toMatch(/(\d+) files in .*, \1 of them new/);
    expect((await events('pull', target)).stderr).toContain(', 0 of them new');
    const watermark = await store.get('events/v1/_watermark.json');
    expect(await readFile(join(target, 'events/v1/_watermark.json'))).toEqual(Buffer.from(watermark ?? []));
    const { complete_through: completeThrough } = JSON.parse(new TextDecoder().decode(watermark));
    expect(JSON.parse(first.stdout)).toMatchObject({
      removed: 0,
      from: null,
      to: null,
      complete_through: completeThrough,
    });
  });

  test('sql asks about what is not published yet when it is told to, each event once', async () => {
    const count = 'SELECT count(*) AS n FROM events';
    expect(await sql(count, '--fresh')).toEqual([{ n: lines.size + 1 }]);
    expect(await sql(count)).toEqual([{ n: lines.size }]);
  });

  test('sql writes tables', async () => {
    const table = join(folder, 'events.csv');
    const range = ['--from', '2026-03-01T09:00Z', '--to', '2026-03-01T10:00Z'];
    await events('sql', `COPY (FROM events ORDER BY event_id) TO '${table}'`, ...range);
    const rows: Record<string, string>[] = parse(await readFile(table), { columns: true });
    expect(Object.keys(rows[0] ?? {})).toEqual(COLUMNS);
    expect(rows.map(({ event_id }) => event_id)).toEqual(sorted(old.map((line) => line.slice(13, 49))));
  });

  test('show leaves out what is no event, and names the object', async () => {
    const key = `events/v1/${OLD_PARTITION}/019ca8b4-2000-7000-8000-000000000003.ndjson.gz`;
    await store.create(key, 'no gzip');
    await expect(events('show')).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`${key}: holds something other than events`),
      stdout: expect.stringContaining([...lines.values()].at(-1) ?? ''),
    });
    await store.delete(key);
  });

  test('sql asks about what pull has copied, without the bucket, and refuses to when it is not whole', async () => {
    const target = join(folder, 'kept');
    const query = 'SELECT count(*) AS n FROM events';
    const counted = `{"n":${lines.size}}\n`;
    expect((await events('sql', query, '--keep', target)).stdout).toBe(counted);
    const offline = { R2_URL: 'http://127.0.0.1:1/bucket' };
    expect((await runWith(offline, 'sql', query, target)).stdout).toBe(counted);
    const [lost = ''] = globSync(join(target, 'events/v1/dt=2026-03-01/**/*.gz'));
    await rm(lost);
    await expect(runWith(offline, 'sql', query, target)).rejects.toThrow('it is not a complete copy of these hours');
    const later = await runWith(offline, 'sql', query, target, '--from', '2026-03-02');
    expect(later.stdout).toBe(`{"n":${lines.size - 10}}\n`);
  });

  describe('with the table', () => {
    beforeAll(async () => {
      await runLocalCron(service.origin, 'table');
      // A part that the table does not have, with one event.
      await publish();
    });

    afterAll(async () => {
      const published = await events('show', '--from', '2026-03-01', '--to', '2026-03-02');
      for (const line of linesOf(published.stdout)) lines.set(line.slice(13, 49), line);
    });

    test('sql asks the table, and with --fresh what is not in it too, each event once', async () => {
      const kept = join(folder, 'table');
      const query = 'SELECT count(*) AS n, count(DISTINCT event_id) AS d FROM events';
      expect(await sql(query, '--keep', kept)).toEqual([{ n: lines.size, d: lines.size }]);
      expect(globSync(join(kept, 'iceberg/events/data/*.parquet')).length).toBeGreaterThan(0);
      expect(globSync(join(kept, 'events/v1/**/*.gz'))).toEqual([]);
      const all = lines.size + 1;
      expect(await sql(query, '--fresh', '--keep', kept)).toEqual([{ n: all, d: all }]);
      const [row] = await sql('SELECT * FROM events ORDER BY event_id LIMIT 1');
      expect(row).toEqual(JSON.parse(sorted(lines.values())[0] ?? ''));
      expect(await sql(query, '--from', '2026-03-01', '--to', '2026-03-02')).toEqual([{ n: 10, d: 10 }]);
    });

    test('sql removes from what it keeps the files that the table does not name any more', async () => {
      const kept = join(folder, 'table');
      const old = join(kept, 'iceberg/events/data/old.parquet');
      await writeFile(old, 'shows a guest');
      await sql('SELECT 1 AS x FROM events LIMIT 1', '--keep', kept);
      expect(existsSync(old)).toBe(false);
    });

    test('verify counts the rows of each part in the table, and names what is not as the log says', async () => {
      const { stderr } = await events('verify');
      expect(stderr).toMatch(
        new RegExp(`, ${lines.size + 1} rows, in the table \\d+ files with ${lines.size} rows, 0 findings$`, 'm'),
      );
      const { entries } = await readLog(store, 0, NEVER);
      const request = { range: {}, settledBefore: new Date('9999-01-01') };
      const check = async (log = entries) => (await verifyTable(store, log, request, NEVER))?.findings;
      expect(await check()).toEqual([]);

      const [first] = entries;
      if (first === undefined) throw new Error('Cannot check an empty log');
      expect(await check([{ ...first, rows: first.rows + 1 }, ...entries.slice(1)])).toEqual([
        `${first.key}: ${first.rows} rows in the table instead of ${first.rows + 1} (part 1)`,
      ]);
      expect(await check(entries.slice(1))).toEqual([
        `iceberg/events/data/: ${first.rows} rows of part 1, which the log does not have, or has replaced`,
      ]);

      const stray = 'iceberg/events/data/stray.parquet';
      await store.create(stray, 'nobody reads this');
      expect(await check()).toEqual([`${stray}: no snapshot of the table names it`]);
      await store.delete(stray);

      const [file = ''] = await keysOf('iceberg/events/data/');
      const bytes = await store.get(file);
      await store.delete(file);
      expect(await check()).toEqual([`${file}: missing (the current snapshot of the table names it)`]);
      await store.create(file, bytes ?? '');
      expect(await check()).toEqual([]);
    });
  });

  describe('leaves nothing of what sql has downloaded', () => {
    const STREAM = 'SELECT email, first_name FROM events, range(1000000)';
    const ENDLESS = 'SELECT count(*) FROM events, range(1000000000000)';
    const SIGNALS = [
      ['SIGINT', 130],
      ['SIGTERM', 143],
      ['SIGHUP', 129],
    ] as const;

    /** A running query, once it has downloaded all parts. */
    async function start(query: string) {
      const temporary = await mkdtemp(join(folder, 'tmp-'));
      const child = spawn(process.execPath, [pathOf('events'), 'sql', query], {
        env: { ...process.env, ...bucketOf(service), TMPDIR: temporary },
      });
      const parts = () => globSync(join(temporary, '**/*.parquet'));
      await vi.waitFor(() => expect(parts().length).toBeGreaterThan(1), 30_000);
      return { child, temporary };
    }

    test('when the reader has seen enough', async () => {
      const { child, temporary } = await start(STREAM);
      await once(child.stdout, 'data');
      child.stdout.destroy();
      expect(await once(child, 'exit')).toEqual([0, null]);
      expect(await readdir(temporary)).toEqual([]);
    });

    // Each query takes seconds to start, so that `npm test` is content with the first signal.
    test.each(THOROUGH ? SIGNALS : SIGNALS.slice(0, 1))('when %s comes during a query', async (signal, exitCode) => {
      const { child, temporary } = await start(ENDLESS);
      child.kill(signal);
      expect(await once(child, 'exit')).toEqual([exitCode, null]);
      expect(await readdir(temporary)).toEqual([]);
    });

    test('when the query fails', async () => {
      const temporary = await mkdtemp(join(folder, 'tmp-'));
      const query = runWith({ TMPDIR: temporary }, 'sql', "SELECT error('no') FROM events");
      await expect(query).rejects.toThrow('Cannot answer the query: Invalid Input Error: no');
      expect(await readdir(temporary)).toEqual([]);
    });
  });
});

describe('published files', () => {
  let files: string[];
  let database: DuckDBConnection;

  beforeAll(async () => {
    await pull(store, join(folder, 'files'), {}, new AbortController().signal);
    files = globSync(join(folder, 'files/events/v1/**/*.gz'));
    expect(files.length).toBeGreaterThan(1);
    database = await (await DuckDBInstance.create()).connect();
    await database.run(`SET file_search_path = '${folder}'`);
  });

  test('are one gzip member each, and hold whole lines without a byte order mark', async () => {
    for (const file of files) {
      const bytes = await readFile(file);
      const { engine } = inflateRawSync(bytes.subarray(10), { info: true }) as unknown as {
        engine: { bytesWritten: number };
      };
      // RFC 1952: ten bytes of header without a name, and eight of checksum and length.
      expect(10 + engine.bytesWritten + 8).toBe(bytes.length);
      expect(gunzipSync(bytes).toString()).toMatch(/^\{.*\}\n$/s);
    }
  });

  test('have the same columns in every line, one type in each, no lone surrogate and no zero', async () => {
    const types = new Map<string, Set<string>>();
    for (const file of files) {
      const text = gunzipSync(await readFile(file)).toString();
      expect(text).not.toMatch(/\\u(?:0000|d[89a-f])/i);
      expect(text).not.toMatch(/[\u0085\u2028\u2029]/);
      for (const line of linesOf(text)) {
        const row: Record<string, unknown> = JSON.parse(line);
        expect(Object.keys(row)).toEqual(COLUMNS);
        for (const [column, value] of Object.entries(row)) {
          if (value === null) continue;
          expect(value).not.toBe('');
          types.set(column, (types.get(column) ?? new Set()).add(Array.isArray(value) ? 'array' : typeof value));
        }
      }
    }
    for (const [column, found] of types) expect([...found], column).toHaveLength(1);
  });

  test('are loaded by DuckDB with the printed schema, every value as it was sent, and once only', async () => {
    const script = duckdb();
    await database.run(script);
    await database.run(script);
    const rows = (
      await database.runAndReadAll(`SELECT ${jsonColumns()} FROM events ORDER BY event_id`)
    ).getRowObjectsJson();
    expect(rows).toEqual(expected());
  });

  /** All columns, with times and dates written as in the lines. */
  function jsonColumns(): string {
    const time = (column: string) => `strftime(${column}::TIMESTAMP, '%Y-%m-%dT%H:%M:%S.%gZ') AS ${column}`;
    return COLUMNS.map((column) => {
      if (['received_at', 'start_utc', 'end_utc', 'created_utc'].includes(column)) return time(column);
      if (['schema_version', 'adult_counts', 'child_counts'].includes(column)) return `${column}::INTEGER AS ${column}`;
      return column === 'birth_date' ? `birth_date::VARCHAR AS birth_date` : column;
    }).join(', ');
  }

  function expected(): object[] {
    return sorted(lines.values()).map((line) => JSON.parse(line));
  }
});
