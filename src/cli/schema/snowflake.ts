/** Snowflake, for views of an attached table. Pure. */

import type { Types } from './columns.ts';
import { type Dialect, latestFirst, replaceView } from './dialect.ts';

const TYPES: Types = {
  text: 'VARCHAR',
  timestamp: 'TIMESTAMP_TZ',
  date: 'DATE',
  integer: 'INTEGER',
  texts: 'ARRAY',
  faults: 'VARIANT',
  count: 'INTEGER',
  boolean: 'BOOLEAN',
};

/** How Snowflake spells the views. */
export const SNOWFLAKE: Dialect = {
  types: TYPES,
  schema: '',
  replaceView,
  timestamp: (utc) => `TO_TIMESTAMP_TZ('${utc}')`,
  localDate: (time, zone) => `TO_DATE(CONVERT_TIMEZONE(${zone}, ${time}))`,
  addDays: (date, days) => `DATEADD(day, ${days}, ${date})`,
  daysBetween: (from, to) => `DATEDIFF(day, ${from}, ${to})`,
  // The end of a range is not in it.
  countUp: (count) => `, LATERAL FLATTEN(INPUT => ARRAY_GENERATE_RANGE(0, ${count})) counted`,
  counter: 'CAST(counted.value AS INTEGER)',
  dayAfter: (time) => `DATEADD(day, 1, ${time})`,
  anyValue: (expression) => `ANY_VALUE(${expression})`,
  nullable: (expression) => expression,
  latestFirst,
};
