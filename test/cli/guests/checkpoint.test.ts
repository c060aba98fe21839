import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openCheckpoint, type Searched } from '../../../src/cli/guests/checkpoint.ts';

const START = { startedAt: new Date('2026-03-02T00:00:00.000Z'), logThrough: 7 };
const start = async () => START;
const never = () => Promise.reject(new Error('It has begun before'));

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'checkpoint-'));
  file = join(folder, 'search');
});
afterEach(() => rm(folder, { recursive: true }));

/** A search that has gone through one object. */
async function begun(): Promise<Searched> {
  const checkpoint = await openCheckpoint(file, 'email:a@example.com', start);
  const searched: Searched = { hits: [], is_damaged: false, cut: 0 };
  checkpoint.note('events/v1/a.ndjson.gz', searched);
  return searched;
}

describe('openCheckpoint()', () => {
  test('goes on where the same search stopped, for its owner alone and without what is looked for', async () => {
    const searched = await begun();
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readFile(file, 'utf8')).not.toContain('example');
    const again = await openCheckpoint(file, 'email:a@example.com', never);
    expect(again).toMatchObject(START);
    expect([...again.done]).toEqual([['events/v1/a.ndjson.gz', searched]]);
  });

  test('refuses the file of another search, and one that it has not written', async () => {
    await begun();
    await expect(openCheckpoint(file, 'email:b@example.com', never)).rejects.toThrow('it belongs to another search');
    await writeFile(file, 'nothing of ours\n');
    await expect(openCheckpoint(file, 'email:a@example.com', never)).rejects.toThrow('it belongs to another search');
  });

  test('keeps nothing without a file', async () => {
    const checkpoint = await openCheckpoint(undefined, 'email:a@example.com', start);
    checkpoint.note('events/v1/a.ndjson.gz', { hits: [], is_damaged: false, cut: 0 });
    expect([checkpoint.startedAt, checkpoint.done.size]).toEqual([START.startedAt, 0]);
  });
});
