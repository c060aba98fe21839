import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { tableShows } from '../../src/publish/erase/finish.ts';
import { readManifestList } from '../../src/storage/iceberg/manifest.ts';
import { currentSnapshot, readTable, TABLE_DATA, VERSION_HINT_KEY } from '../../src/storage/iceberg/table.ts';
import type { Line } from '../../src/storage/line.ts';
import { parseDataFileName } from '../../src/table/data-file-key.ts';
import { createGuests } from '../../src/table/guests.ts';
import { TABLE_LIMITS, type TableLimits } from '../../src/table/limits.ts';
import { runTable } from '../../src/table/run-table.ts';
import type { TableTools } from '../../src/table/tools.ts';
import { emptyBucket, HOUR, HOUR_MS, keysUnder, later, lineAt } from '../publish/landing.ts';
import { watch } from '../publish/watched-bucket.ts';
import { completeThrough, publishPart, replacePart, toolsAt } from './events.ts';
import { faultsOfTable, filesOf, idsByPart, publishedRows, rowsOf, snapshots, unnamedObjects } from './read-table.ts';

const DAY_MS = 24 * HOUR_MS;
const DAY_MINUTES = 24 * 60;
const DAY_ENDS = '2026-07-11T00:00:00.000Z';

beforeEach(() => emptyBucket());
afterEach(() => emptyBucket());

/** Runs as if so many minutes had passed. */
const run = async (minutes = 0, limits: Partial<TableLimits> = {}, more: Partial<TableTools> = {}) =>
  runTable(await toolsAt(later(minutes), { limits: { ...TABLE_LIMITS, ...limits }, ...more }));

const named = (name: string, at: number) => lineAt(HOUR + at, { LastName: name });
const fullness = async () => (await filesOf()).map(({ file_path }) => parseDataFileName(file_path).fullness);
const erased = (line: Line) => lineAtId(line, { last_name: null });

/** The same event with other values. */
function lineAtId(line: Line, values: object): Line {
  return `${JSON.stringify({ ...JSON.parse(line), ...values })}\n` as Line;
}

describe('runTable()', () => {
  test('makes a table of no rows, so that readers can attach before the first event', async () => {
    expect(await run()).toMatchObject({ ended: 'done', commits: 0, log_sequence: 0 });
    expect(await readTable(env.BUCKET)).toMatchObject({ version: 1, metadata: { snapshots: [] } });
  });

  test('appends what is new as one file a day, once, and says how far it follows the log', async () => {
    await publishPart(1, [lineAt(HOUR), lineAt(HOUR + 1)]);
    await publishPart(2, [lineAt(HOUR + DAY_MS)]);
    await publishPart(3, [lineAt(HOUR + HOUR_MS)]);
    await completeThrough('2026-07-10T12:00:00.000Z', 3);
    expect(await run()).toMatchObject({ ended: 'done', commits: 1, rows: 4, log_sequence: 3 });
    expect(await run(2)).toMatchObject({ ended: 'done', commits: 0, rows: 0, log_sequence: 3 });
    expect((await filesOf()).map(({ record_count }) => record_count).sort()).toEqual([1, 3]);
    expect(await rowsOf()).toEqual(await publishedRows());
    const [snapshot, ...others] = await snapshots();
    expect(others).toEqual([]);
    expect(snapshot?.summary).toMatchObject({
      operation: 'append',
      'log-sequence': '3',
      'complete-through': '2026-07-10T12:00:00.000Z',
      'total-records': '4',
      'total-data-files': '2',
    });
    expect(await (await env.BUCKET.get(VERSION_HINT_KEY))?.text()).toBe('2');
  });

  test.each([
    { runRows: 1, stepRows: 1 },
    { runParts: 1, stepParts: 1 },
  ])('does as much as a run may, and goes on in the next: %o', async (limits) => {
    for (const sequence of [1, 2, 3]) await publishPart(sequence, [lineAt(HOUR + sequence)]);
    for (const sequence of [1, 2, 3]) {
      expect(await run(sequence, limits)).toMatchObject({ ended: 'more', rows: 1, log_sequence: sequence });
    }
    expect(await run(4, limits)).toMatchObject({ ended: 'done', rows: 0 });
    expect(await rowsOf()).toEqual(await publishedRows());
  });

  test('does not say that rows are complete which it does not have yet', async () => {
    for (const sequence of [1, 2]) await publishPart(sequence, [lineAt(HOUR + sequence)]);
    await completeThrough(DAY_ENDS, 2);
    await run(0, { runRows: 1, stepRows: 1 });
    expect((await snapshots()).at(-1)?.summary['complete-through']).toBeUndefined();
    await run(2);
    expect((await snapshots()).at(-1)?.summary['complete-through']).toBe(DAY_ENDS);
  });

  test('says within an hour that rows are complete up to a later moment, though there are no new ones', async () => {
    await publishPart(1, [lineAt(HOUR)]);
    await completeThrough('2026-07-10T12:00:00.000Z', 1);
    await run();
    await completeThrough('2026-07-10T13:00:00.000Z', 1);
    expect(await run(30)).toMatchObject({ commits: 0 });
    expect(await run(61)).toMatchObject({ commits: 1, rows: 0, complete_through: '2026-07-10T13:00:00.000Z' });
    expect(await rowsOf()).toEqual(await publishedRows());
  });

  test('joins the files of a day when it is complete, and folds in what comes late within an hour', async () => {
    for (const sequence of [1, 2, 3]) {
      await publishPart(sequence, [lineAt(HOUR + sequence)]);
      await run(sequence);
    }
    expect(await run(70)).toMatchObject({ commits: 0 });
    expect(await filesOf()).toHaveLength(3);
    await completeThrough(DAY_ENDS, 3);
    expect(await run(140)).toMatchObject({ rows: 3 });
    expect(await filesOf()).toHaveLength(1);
    expect((await snapshots()).at(-1)?.summary).toMatchObject({ operation: 'replace', 'deleted-data-files': '3' });
    await publishPart(4, [lineAt(HOUR + 4)]);
    await run(150);
    expect(await filesOf()).toHaveLength(2);
    await run(201);
    expect(await filesOf()).toHaveLength(1);
    expect(await rowsOf()).toEqual(await publishedRows());
  });

  test('sorts a file by hotel, reservation and event, and says in the manifest what is in it', async () => {
    const hotels = ['b', 'a', '\u{1f3e8}', '\uffee'.repeat(20)];
    const lines = hotels.map((PropertyId, at) => lineAt(HOUR + at, { PropertyId }));
    await publishPart(1, lines);
    await run();
    const [file] = await filesOf();
    const text = (bounds: readonly { key: number; value: Uint8Array }[] | undefined) =>
      new TextDecoder().decode(bounds?.find(({ key }) => key === 9)?.value);
    expect(text(file?.lower_bounds)).toBe('a');
    // The hotel beyond 2^16 is the last in UTF-8, though not in UTF-16.
    expect(text(file?.upper_bounds)).toBe('\u{1f3e8}');
    expect(file?.null_value_counts).toHaveLength(5);
  });

  test('writes what the log has replaced anew, and leaves nothing of it an hour later', async () => {
    const [A, B, C] = [named('Ada', 0), named('Ben', 1), named('Cyd', 2)];
    const first = await publishPart(1, [A, B]);
    await run();
    await publishPart(2, [C]);
    await run(2);
    await replacePart(3, first, [erased(A), B]);
    expect(await tableShows(env.BUCKET, 3)).toBe(true);
    expect(await run(4)).toMatchObject({ commits: 1, log_sequence: 3 });
    expect((await snapshots()).at(-1)?.summary).toMatchObject({ operation: 'overwrite', 'erases-guests': 'true' });
    expect(await rowsOf()).toEqual(await publishedRows());
    await run(60);
    expect(await keysUnder(TABLE_DATA)).toHaveLength(3);
    expect(await tableShows(env.BUCKET, 3)).toBe(true);
    await run(70);
    expect(await tableShows(env.BUCKET, 3)).toBe(false);
    expect(await snapshots()).toHaveLength(1);
    expect(await unnamedObjects()).toEqual([]);
    expect(await keysUnder(TABLE_DATA)).toHaveLength(2);
  });

  test('takes what has replaced a part before the table had it, and does not take it twice', async () => {
    const [A, B, C] = [named('Ada', 0), named('Ben', 1), named('Cyd', 2)];
    const first = await publishPart(1, [A]);
    const second = await replacePart(2, first, [erased(A)]);
    await publishPart(3, [B]);
    await replacePart(4, second, [lineAtId(A, { last_name: 'Again' })]);
    await publishPart(5, [C]);
    // One entry of the log in each step, so that what is ahead comes later.
    for (let minutes = 0; minutes < 20; minutes += 2) await run(minutes, { stepRows: 1, stepParts: 1 });
    expect(await rowsOf()).toEqual(await publishedRows());
    expect(await run(30)).toMatchObject({ ended: 'done', commits: 0, log_sequence: 5 });
  });

  test('finds what has replaced a part twice, beyond what one run reads of the log', async () => {
    const A = named('Ada', 0);
    const first = await publishPart(1, [A]);
    for (let at = 2; at <= 9; at++) await publishPart(at, [named('Ben', at)]);
    const second = await replacePart(10, first, [erased(A)]);
    for (let at = 11; at <= 20; at++) await publishPart(at, [named('Cyd', at)]);
    await replacePart(21, second, [lineAtId(A, { last_name: 'Again' })]);
    for (let minutes = 0; minutes < 40; minutes += 2) await run(minutes, { logEntries: 1, runParts: 3, stepParts: 2 });
    expect(await rowsOf()).toEqual(await publishedRows());
    expect(await run(50)).toMatchObject({ ended: 'done', commits: 0, log_sequence: 21 });
  });

  test('writes a part anew that was replaced twice since the last run, and others beside it, a few rows in a step', async () => {
    const [A, B] = [named('Ada', 0), named('Ben', 1)];
    const first = await publishPart(1, [A]);
    await run();
    const other = await publishPart(2, [B]);
    await run(2);
    const second = await replacePart(3, first, [erased(A)]);
    await replacePart(4, second, [lineAtId(A, { last_name: 'Again' })]);
    await replacePart(5, other, [erased(B)]);
    // 4 and 5 go into one step, unless a step has room for a row alone.
    expect(await run(4, { runRows: 2, stepRows: 1 })).toMatchObject({ commits: 2, log_sequence: 4 });
    expect(await run(6)).toMatchObject({ commits: 1, log_sequence: 5 });
    expect(await rowsOf()).toEqual(await publishedRows());
  });

  test('stops when another run has made the next version first, and says so', async () => {
    await run();
    await publishPart(1, [lineAt(HOUR)]);
    let others = 0;
    const bucket = watch(async ({ when }, what, [key]) => {
      if (when !== 'before' || what !== 'put' || !String(key).endsWith('/v2.metadata.json') || others > 0) return;
      others += 1;
      await run(2);
    });
    expect(await run(2, {}, { bucket })).toMatchObject({ ended: 'overtaken', commits: 0, rows: 0 });
    expect(others).toBe(1);
    expect(await rowsOf()).toEqual(await publishedRows());
  });

  test('says that a part is missing and nothing in its place', async () => {
    const { key } = await publishPart(1, [lineAt(HOUR)]);
    await env.BUCKET.delete(key);
    await expect(run()).rejects.toThrow(`${key} is missing and the log names none in its place`);
    expect(await (await env.BUCKET.get('iceberg/last-run.json'))?.json()).toMatchObject({ ended: 'failed' });
  });

  test('cuts a part that is too large, and writes all of it anew when it is replaced', async () => {
    const lines = Array.from({ length: 9 }, (_, at) => named(`Guest ${at}`, at));
    const limits = { fileBytes: 1_500 };
    await publishPart(1, [named('before', 100)]);
    const large = await publishPart(2, lines);
    await publishPart(3, [named('behind', 101)]);
    await run(0, limits);
    expect(await fullness()).toEqual(expect.arrayContaining(['full', 'split', 'split', 'open']));
    await replacePart(4, large, lines.map(erased));
    await run(2, limits);
    expect(await rowsOf()).toEqual(await publishedRows());
    await completeThrough(DAY_ENDS, 4);
    await run(70);
    expect(await rowsOf()).toEqual(await publishedRows());
  });

  test('writes all of a large part anew when one is replaced that shares a file with the first of its pieces', async () => {
    const lines = Array.from({ length: 200 }, (_, at) => named('Ada', at));
    const before = named('before', 200);
    const small = await publishPart(1, [before]);
    // It takes less room as a part than was to be expected, so nothing says that it has to be cut.
    await publishPart(2, lines);
    await run(0, { fileBytes: 60_000 });
    expect(await fullness()).toEqual(['split', 'split']);
    await replacePart(3, small, [erased(before)]);
    await run(2, { fileBytes: 60_000 });
    expect(await rowsOf()).toEqual(await publishedRows());
  });

  test('shows guests in another way from now on, and leaves nothing of how they were an hour later', async () => {
    const key = 'a key of thirty-two characters or more';
    for (const sequence of [1, 2]) {
      await publishPart(sequence, [named('Ada', sequence), named('Ben', sequence + 10)]);
      await run(sequence);
    }
    const guests = createGuests('left_out', key);
    await run(10, {}, { guests });
    expect((await rowsOf()).map(({ last_name }) => last_name)).toEqual([null, null, null, null]);
    expect((await readTable(env.BUCKET))?.metadata.properties['guest-columns']).toBe(guests.mark);
    await run(75, {}, { guests });
    expect(await keysUnder(TABLE_DATA)).toHaveLength(2);
    for (const path of await keysUnder(TABLE_DATA)) expect(parseDataFileName(path).guests).toBe(guests.mark);
    expect(await run(80, {}, { guests })).toMatchObject({ commits: 0 });
  });

  test('keeps snapshots for a day, and some at least', async () => {
    const log = [];
    for (let sequence = 1; sequence <= 6; sequence++) {
      log.push(await publishPart(sequence, [lineAt(HOUR + sequence)]));
      await run(sequence);
    }
    expect(await snapshots()).toHaveLength(6);
    await run(DAY_MINUTES + 100, { snapshots: 4 });
    expect(await snapshots()).toHaveLength(4);
    expect(await faultsOfTable(await idsByPart(log))).toEqual([]);
    expect(await unnamedObjects()).toEqual([]);
  });

  test('finds what an attempt has left that came to nothing, when it cannot be under way any more', async () => {
    await publishPart(1, [lineAt(HOUR)]);
    await run();
    const left = `${TABLE_DATA}${(await filesOf())[0]?.file_path.split('/').at(-1)?.replace(/^.{8}/, '00000000')}`;
    await env.BUCKET.put(left, 'rows');
    // It was created now, and the run is an hour ahead.
    expect(await run(-45)).toMatchObject({ tidied_at: expect.any(String) });
    await run(61);
    expect(await unnamedObjects()).toEqual([]);
  });

  test('names few manifests, whatever the number of its files', async () => {
    for (let sequence = 1; sequence <= 12; sequence++) {
      await publishPart(sequence, [lineAt(HOUR + sequence * DAY_MS)]);
      await run(sequence, { manifestEntries: 4 });
    }
    const table = await readTable(env.BUCKET);
    const list = (table && currentSnapshot(table)?.['manifest-list'])?.replace('s3://reservation-events/', '') ?? '';
    const manifests = readManifestList(new Uint8Array((await (await env.BUCKET.get(list))?.arrayBuffer()) ?? []));
    expect(manifests).toHaveLength(3);
    expect(await filesOf()).toHaveLength(12);
  });
});
