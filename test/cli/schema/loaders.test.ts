import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { PGlite } from '@electric-sql/pglite';
import { duckdb } from '../../../src/cli/schema/duckdb.ts';
import { postgres } from '../../../src/cli/schema/postgres.ts';
import { openDuckDb, openPostgres } from './engines.ts';
import { describeLoader } from './loading.ts';

describeLoader({
  name: 'duckdb',
  open: openDuckDb,
  print: duckdb,
  load: (database, folder) => database.run(duckdb().replace("root = 'files/'", `root = '${folder}/'`)),
  farDate: '2400-01-01',
});

describeLoader({
  name: 'postgres',
  open: openPostgres,
  print: postgres,
  load: (database, folder) => runInPsql(database.database, postgres(), folder),
  farDate: '2400-01-01',
});

/** Does what psql does with a script: statements go to the server, and what begins with a backslash is done beside it. */
async function runInPsql(database: PGlite, script: string, folder: string): Promise<void> {
  const shell = promisify(execFile);
  for (const [step, command] of script.split(/^(\\.*)$/m).map((text, at) => [text, at % 2 === 1] as const)) {
    if (!command) await database.exec(step);
    else if (step.startsWith('\\copy (')) {
      const [, query = '', file = ''] = /^\\copy \((.*)\) TO '(.*)' WITH .*$/.exec(step) ?? [];
      const { blob } = await database.query(`COPY (${query}) TO '/dev/blob'`);
      await writeFile(join(folder, file), (await blob?.text()) ?? '');
    } else if (step.startsWith('\\copy ')) {
      const [, table = '', program = '', format = ''] = /^\\copy (\w+) FROM PROGRAM '(.*)' WITH (.*)$/.exec(step) ?? [];
      const { stdout } = await shell('sh', ['-c', program.replaceAll('files/', './')], { cwd: folder });
      await database.query(`COPY ${table} FROM '/dev/blob' WITH ${format}`, [], { blob: new Blob([stdout]) });
    }
  }
}
