import { clickhouse } from '../../src/cli/schema/clickhouse.ts';
import { PARQUET } from '../../src/cli/schema/feed.ts';
import { describeLoader } from '../cli/schema/loading.ts';
import { openClickHouse } from './engine.ts';

/** Files in place of R2: what follows the address is the same for both functions. */
function fromFolder(printed: string, folder: string): string {
  return printed.replaceAll(
    /s3\('https:\/\/<account>[^/]*\/<bucket>\/([^']*)', '<key>', '<secret>',/g,
    `file('${folder}/$1',`,
  );
}

describeLoader({
  name: 'clickhouse',
  open: openClickHouse,
  load: (database, folder) => database.run(fromFolder(clickhouse(), folder)),
  loadParquet: (database, folder) => database.run(fromFolder(clickhouse(PARQUET), folder)),
  table: /^CREATE TABLE.*?;$/ms.exec(clickhouse())?.[0] ?? '',
  insert: (database, rows) =>
    database.run(
      `INSERT INTO events SETTINGS date_time_input_format = 'best_effort' FORMAT JSONEachRow ${rows.map((row) => JSON.stringify(row)).join('\n')}`,
    ),
  farDate: null,
});
