import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { PGlite } from '@electric-sql/pglite';
import { test } from 'vitest';
import { bigquery } from '../../../src/cli/schema/bigquery.ts';
import { duckdb } from '../../../src/cli/schema/duckdb.ts';
import { PARQUET } from '../../../src/cli/schema/feed.ts';
import { postgres } from '../../../src/cli/schema/postgres.ts';
import { snowflake } from '../../../src/cli/schema/snowflake.ts';
import { openDuckDb, openPostgres } from './engines.ts';
import { describeLoader } from './loading.ts';
import { parseBigQuery, parseSnowflake } from './parse.ts';

const tableOf = (printed: string) => /^CREATE TABLE.*?;$/ms.exec(printed)?.[0] ?? '';

describeLoader({
  name: 'duckdb',
  open: openDuckDb,
  load: (database, folder) => database.run(duckdb().replace("root = 'files/'", `root = '${folder}/'`)),
  loadParquet: (database, folder) =>
    database.run(duckdb(PARQUET).replace("root = 'r2://<bucket>/'", `root = '${folder}/'`)),
  table: tableOf(duckdb()),
  insert: async (database, rows) => {
    const list = rows.map((row) => `'${JSON.stringify(row).replaceAll("'", "''")}'::JSON`);
    const columns = Object.keys(rows[0] ?? {}).join(', ');
    await database.run(
      `INSERT INTO events (${columns}) SELECT ${columns} FROM (SELECT unnest(json_transform([${list.join(', ')}]::JSON,
       json_structure([${list[0]}]::JSON)), recursive := true))`,
    );
  },
  farDate: '2400-01-01',
});

describeLoader({
  name: 'postgres',
  open: openPostgres,
  load: (database, folder) => runInPsql(database.database, postgres(), folder),
  table: tableOf(postgres()),
  insert: async ({ database }, rows) => {
    const columns = Object.keys(rows[0] ?? {}).join(', ');
    await database.query(
      `INSERT INTO events (${columns}) SELECT ${columns} FROM jsonb_populate_recordset(NULL::events, $1)`,
      [JSON.stringify(rows)],
    );
  },
  farDate: '2400-01-01',
});

// What cannot run here is read by a parser that knows its grammar.
test.each([
  ['bigquery', bigquery, parseBigQuery],
  ['snowflake', snowflake, parseSnowflake],
])('%s() is parsed', (_, print, parse) => {
  parse(print());
  parse(print(PARQUET));
});

test('snowflake() has a script that is parsed too', () => {
  const [, copy = ''] = /EXECUTE IMMEDIATE '(.*?)ON_ERROR/s.exec(snowflake()) ?? [];
  parseSnowflake(copy.replace("' || each.files || '", "'a', 'b'"));
});

test('bigquery() has a statement within a statement that is parsed too', () => {
  const [, create = ''] = /"""(.*?)"""/s.exec(bigquery()) ?? [];
  parseBigQuery(create.replace('%T', '["a", "b"]'));
});

/** Does what psql does with a script: statements go to the server, and what begins with a backslash is done beside it. */
async function runInPsql(database: PGlite, script: string, folder: string): Promise<void> {
  const shell = promisify(execFile);
  for (const [step, command] of script.split(/^(\\.*)$/m).map((text, at) => [text, at % 2 === 1] as const)) {
    if (!command) await database.exec(step);
    else if (step.startsWith('\\copy (')) {
      const [, query = '', file = ''] = /^\\copy \((.*)\) TO '(.*)'$/.exec(step) ?? [];
      const { blob } = await database.query(`COPY (${query}) TO '/dev/blob'`);
      await writeFile(join(folder, file), (await blob?.text()) ?? '');
    } else if (step.startsWith('\\copy ')) {
      const [, table = '', program = '', format = ''] = /^\\copy (\w+) FROM PROGRAM '(.*)' WITH (.*)$/.exec(step) ?? [];
      const { stdout } = await shell('sh', ['-c', program.replaceAll('files/', './')], { cwd: folder });
      await database.query(`COPY ${table} FROM '/dev/blob' WITH ${format}`, [], { blob: new Blob([stdout]) });
    }
  }
}
