import { clickhouse } from '../../src/cli/schema/clickhouse.ts';
import { describeLoader } from '../cli/schema/loading.ts';
import { openClickHouse } from './engine.ts';

describeLoader({
  name: 'clickhouse',
  open: openClickHouse,
  // Files in place of R2: what follows the address is the same for both functions.
  load: (database, folder) =>
    database.run(
      clickhouse().replaceAll(
        /s3\('https:\/\/<account>[^/]*\/<bucket>\/([^']*)', '<key>', '<secret>',/g,
        `file('${folder}/$1',`,
      ),
    ),
  table: /^CREATE TABLE.*?;$/ms.exec(clickhouse())?.[0] ?? '',
  insert: (database, rows) =>
    database.run(
      `INSERT INTO events SETTINGS date_time_input_format = 'best_effort' FORMAT JSONEachRow ${rows.map((row) => JSON.stringify(row)).join('\n')}`,
    ),
  farDate: null,
});
