import { CLICKHOUSE, clickhouse } from '../../src/cli/schema/clickhouse.ts';
import { describeViews } from '../cli/schema/view-answers.ts';
import { openClickHouse } from './engine.ts';

describeViews({
  name: 'clickhouse',
  dialect: CLICKHOUSE,
  open: openClickHouse,
  table: /^CREATE TABLE.*?;$/ms.exec(clickhouse())?.[0] ?? '',
  emptyList: '[]',
});
