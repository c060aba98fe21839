/** The same objects for the loader of every database that runs here. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { NO_WATERMARK } from '../../../src/cli/schema/columns.ts';
import type { Engine } from './engines.ts';
import {
  damageFirstEntry,
  FACTS,
  FIRST,
  LOADED,
  publishFirst,
  publishSecond,
  removeWatermark,
  second,
} from './published.ts';

/** A loader under test. */
export interface LoaderCase<Database extends Engine> {
  readonly name: string;
  readonly open: () => Promise<Database>;
  /** What `npm run schema` prints. */
  readonly print: () => string;
  /** Runs that on a folder with published objects. */
  readonly load: (database: Database, folder: string) => Promise<void>;
  /** What becomes of a date of birth in 2400. */
  readonly farDate: string | null;
}

/** Holds the loader of one database to what is published. */
export function describeLoader<Database extends Engine>(loader: LoaderCase<Database>): void {
  const { name, open, print, load, farDate } = loader;
  describe(`${name}() loads`, () => {
    let database: Database;
    let folder: string;

    beforeAll(async () => {
      database = await open();
    });
    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), 'published-'));
      for (const name of ['events', 'event_parts', 'event_watermarks']) {
        await database.run(`DROP TABLE IF EXISTS ${name}`);
      }
    });
    afterEach(() => rm(folder, { recursive: true }));
    afterAll(() => database.close());

    const expectSecond = async () => {
      expect(await database.rows(LOADED)).toEqual(second(farDate));
      for (const [sql, answer] of FACTS) expect(await database.rows(sql), sql).toEqual([[answer]]);
    };

    /** What the last statement says. */
    const said = () => database.rows(print().trimEnd().split(';\n').at(-1) ?? '');

    test('version 1, then version 2 and a replaced part, each once, and changes nothing when nothing is new', async () => {
      await publishFirst(folder);
      await load(database, folder);
      await load(database, folder);
      expect(await database.rows(LOADED)).toEqual(FIRST);
      expect(await database.rows('SELECT COUNT(*) FROM event_watermarks')).toEqual([[1]]);
      expect(await said()).toEqual([[expect.stringMatching(/^Complete up to 2026-05-18 16:00:00/)]]);
      await publishSecond(folder);
      await load(database, folder);
      await load(database, folder);
      await expectSecond();
      expect(await database.rows('SELECT COUNT(*) FROM event_watermarks')).toEqual([[2]]);
    });

    test('everything at once into a new table', async () => {
      await publishFirst(folder);
      await publishSecond(folder);
      await load(database, folder);
      await expectSecond();
    });

    test('what there is without a watermark, and says so', async () => {
      await publishFirst(folder);
      await removeWatermark(folder);
      await load(database, folder);
      expect(await database.rows(LOADED)).toEqual(FIRST);
      expect(await said()).toEqual([[NO_WATERMARK]]);
    });

    test('what is new without a look at the entries that are loaded', async () => {
      await publishFirst(folder);
      await load(database, folder);
      await damageFirstEntry(folder);
      await publishSecond(folder);
      await load(database, folder);
      await expectSecond();
    });
  });
}
