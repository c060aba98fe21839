/** The same objects for the loader of every database that runs here. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { COLUMNS, factsOf } from '../../../src/contract/row.ts';
import type { Engine } from './engines.ts';
import {
  EARLIER_ROWS,
  FACTS,
  FIRST,
  LOADED,
  publishFirst,
  publishParquet,
  publishSecond,
  second,
} from './published.ts';

/** A loader under test. */
export interface LoaderCase<Database extends Engine> {
  readonly name: string;
  readonly open: () => Promise<Database>;
  /** Runs what `npm run schema` prints on a folder with published objects. */
  readonly load: (database: Database, folder: string) => Promise<void>;
  /** Likewise what it prints for Parquet. */
  readonly loadParquet?: (database: Database, folder: string) => Promise<void>;
  /** The definition of the table `events`. */
  readonly table: string;
  /** Puts rows into it, as JSON with the columns of version 1. */
  readonly insert: (database: Database, rows: readonly object[]) => Promise<void>;
  /** What becomes of a date of birth in 2400. */
  readonly farDate: string | null;
}

/** Holds the loader of one database to what is published. */
export function describeLoader<Database extends Engine>(loader: LoaderCase<Database>): void {
  const { name, open, load, loadParquet, table, insert, farDate } = loader;
  describe(`${name}() loads`, () => {
    let database: Database;
    let folder: string;

    beforeAll(async () => {
      database = await open();
    });
    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), 'published-'));
      for (const name of ['events', 'event_parts', 'parquet_parts', 'event_watermarks']) {
        await database.run(`DROP TABLE IF EXISTS ${name}`);
      }
    });
    afterEach(() => rm(folder, { recursive: true }));
    afterAll(() => database.close());

    const expectSecond = async () => {
      expect(await database.rows(LOADED)).toEqual(second(farDate));
      for (const [sql, answer] of FACTS) expect(await database.rows(sql), sql).toEqual([[answer]]);
    };

    test('version 1, then version 2 and a replaced part, each once', async () => {
      await publishFirst(folder);
      await load(database, folder);
      await load(database, folder);
      expect(await database.rows(LOADED)).toEqual(FIRST);
      await publishSecond(folder);
      await load(database, folder);
      await expectSecond();
    });

    test('everything at once into a new table', async () => {
      await publishFirst(folder);
      await publishSecond(folder);
      await load(database, folder);
      await expectSecond();
    });

    test.runIf(loadParquet)('complete days as Parquet, each event once', async () => {
      await publishParquet(folder);
      await loadParquet?.(database, folder);
      await loadParquet?.(database, folder);
      const withoutKeys = (rows: readonly unknown[][]) => rows.map((row) => row.slice(0, -1));
      expect(withoutKeys(await database.rows(LOADED))).toEqual(withoutKeys(second(farDate)));
      for (const [sql, answer] of FACTS.filter(([sql]) => sql.includes('events'))) {
        expect(await database.rows(sql), sql).toEqual([[answer]]);
      }
    });

    test('into a table of version 1 that was loaded without a log', async () => {
      const lacking = new Set<string>([...COLUMNS.filter((column) => factsOf(column).since > 1), 'object_key']);
      const lines = table.split('\n').filter((line) => !lacking.has(line.trim().split(' ')[0] ?? ''));
      await database.run(lines.join('\n').replace(/,( -- .*\n\))/, '$1'));
      await insert(database, EARLIER_ROWS);
      await publishFirst(folder);
      await publishSecond(folder);
      await load(database, folder);
      await expectSecond();
    });
  });
}
