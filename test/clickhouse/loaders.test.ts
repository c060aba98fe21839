import { clickhouse } from '../../src/cli/schema/clickhouse.ts';
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
  print: clickhouse,
  load: (database, folder) => database.run(fromFolder(clickhouse(), folder)),
  farDate: null,
});
