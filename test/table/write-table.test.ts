import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { currentSnapshot, readTable, TABLE_DATA } from '../../src/storage/iceberg/table.ts';
import { createManifestReader } from '../../src/table/snapshot.ts';
import { writeTable } from '../../src/table/write-table.ts';
import { emptyBucket, HOUR, HOUR_MS, keysUnder, lineAt } from '../publish/landing.ts';
import { completeThrough, publishPart, replacePart, toolsAt } from './events.ts';

const DAY_MS = 24 * HOUR_MS;
const NOW = HOUR + 72 * HOUR_MS;

beforeEach(() => emptyBucket());
afterEach(() => emptyBucket());

describe('writeTable()', () => {
  test('appends what is new, once', async () => {
    await publishPart(1, [lineAt(HOUR), lineAt(HOUR + 1)]);
    await publishPart(2, [lineAt(HOUR + DAY_MS)]);
    expect(await writeTable(await toolsAt(NOW))).toMatchObject({ ended: 'done', commits: 1, rows: 3, log_sequence: 2 });
    expect(await writeTable(await toolsAt(NOW))).toMatchObject({ ended: 'done', commits: 0, rows: 0 });
    const table = await readTable(env.BUCKET);
    if (table === undefined) throw new Error('no table');
    const reader = createManifestReader({ bucket: env.BUCKET, location: table.metadata.location });
    const files = await reader.files(currentSnapshot(table));
    expect(files.map(({ record_count }) => record_count).sort()).toEqual([1, 2]);
  });

  test('joins the files of a complete day and replaces what is erased', async () => {
    const first = await publishPart(1, [lineAt(HOUR), lineAt(HOUR + 1)]);
    await writeTable(await toolsAt(NOW));
    await publishPart(2, [lineAt(HOUR + 2)]);
    await completeThrough('2026-07-12T00:00:00.000Z', 2);
    expect(await writeTable(await toolsAt(NOW))).toMatchObject({ ended: 'done', commits: 2, rows: 4 });
    await replacePart(3, first, [lineAt(HOUR, { LastName: 'x' })]);
    expect(await writeTable(await toolsAt(NOW + 1))).toMatchObject({ ended: 'done', commits: 1, rows: 3 });
    const [file, ...others] = await keysUnder(TABLE_DATA);
    expect(others).toHaveLength(3);
    const run = await writeTable(await toolsAt(Date.now() + 3 * HOUR_MS));
    expect(run).toMatchObject({ ended: 'done', replaced_through: 3 });
    expect(await keysUnder(TABLE_DATA)).toHaveLength(1);
    expect(await keysUnder(TABLE_DATA)).not.toContain(file);
  });
});
