/** The recipe of docs/contributing.md for adding a column, followed to the letter in a copy of the project. */

import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PROJECT } from '../../src/cli/project.ts';
import type { IcebergField } from '../../src/storage/iceberg/schema.ts';
import { eventsKey, partitionOf } from '../../src/storage/keys.ts';
import { openDuckDb } from '../cli/schema/engines.ts';
import { entry, part, watermark } from '../cli/schema/published.ts';
import { SMALL_EVENT } from '../sample.ts';
import { copyWithColumn, type ProjectCopy } from './copy-with-column.ts';

const run = promisify(execFile);

let project: ProjectCopy;
let copy: string;

beforeAll(async () => {
  project = await copyWithColumn();
  copy = project.root;
});
afterAll(() => project.remove());

/** The line that a version of the project makes of an event. */
async function lineOf(root: string, event: object): Promise<object> {
  const program = `
    import { buildEvent } from '${root}/src/intake/build-event.ts';
    const bytes = new TextEncoder().encode(process.argv[1]);
    const built = await buildEvent({ encoding: '', bytes, ending: 'whole' }, new Headers(), { name: 'default' });
    process.stdout.write(built.value.line);`;
  const options = ['--js-base-64', '--input-type=module', '--eval', program, JSON.stringify(event)];
  return JSON.parse((await run(process.execPath, options)).stdout);
}

test('a column touches four files', () => {
  expect(project.changed).toEqual([
    'src/contract/reservation.ts',
    'src/contract/meanings.ts',
    'docs/contract.md',
    'CHANGELOG.md',
  ]);
});

test('no other file has to be changed for types, formatting and tests', async () => {
  const tool = (name: string, ...options: string[]) =>
    run(process.execPath, [join('node_modules', name), ...options], { cwd: copy, maxBuffer: 1 << 26 });
  await tool('typescript/bin/tsc', '-b');
  await tool('@biomejs/biome/bin/biome', 'check', '--vcs-enabled=false', 'src', 'test/contract');
  await tool(
    'vitest/vitest.mjs',
    'run',
    '--project=node',
    'test/project/contract',
    'test/cli/schema.test',
    'test/site',
  );
  await tool('vitest/vitest.mjs', 'run', '--project=worker', 'test/contract', 'test/guests');
}, 300_000);

test('the column has an identifier of its own in the table of Iceberg, and the others keep theirs', async () => {
  const fieldsOf = async (root: string): Promise<IcebergField[]> => {
    const program = `
      import { ICEBERG_FIELDS } from '${root}/src/storage/iceberg/schema.ts';
      process.stdout.write(JSON.stringify(ICEBERG_FIELDS));`;
    return JSON.parse((await run(process.execPath, ['--input-type=module', '--eval', program])).stdout);
  };
  const [before, after] = [await fieldsOf(PROJECT), await fieldsOf(copy)];
  expect(after.filter(({ name }) => name !== 'promo_code')).toEqual(before);
  const added = after.find(({ name }) => name === 'promo_code');
  expect(added).toMatchObject({ required: false, type: 'string' });
  expect(JSON.stringify(before)).not.toMatch(new RegExp(`id":${added?.id}\\b`));
});

test('rows of both versions load into the table of before and into a new one', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'published-'));
  const earlier = await openDuckDb();
  const later = await openDuckDb();
  try {
    const event = { ...SMALL_EVENT, PromoCode: 'SUMMER' };
    const partition = partitionOf(new Date('2026-05-18T15:04:05.776Z'));
    const publish = async (sequence: number, root: string) => {
      const key = eventsKey(partition, `019e3b9d-9d90-7c3e-9a54-00000000000${sequence}`);
      await part(folder, key, [await lineOf(root, event)]);
      await entry(folder, sequence, key, null);
      await watermark(folder, `2026-05-18T1${sequence + 5}:00:00.000Z`, sequence);
    };
    const loaderOf = async (root: string) => {
      const { stdout } = await run(process.execPath, ['src/cli/schema.ts', 'duckdb'], { cwd: root });
      return stdout.replace("root = 'files/'", `root = '${folder}/'`);
    };
    await publish(1, PROJECT);
    await earlier.run(await loaderOf(PROJECT));
    await publish(2, copy);
    for (const database of [earlier, later]) {
      await database.run(await loaderOf(copy));
      expect(await database.rows('SELECT schema_version, promo_code, extra FROM events ORDER BY event_id')).toEqual([
        [1, null, '{"PromoCode":"SUMMER"}'],
        [2, 'SUMMER', null],
      ]);
    }
  } finally {
    await Promise.all([earlier.close(), later.close(), rm(folder, { recursive: true })]);
  }
});
