/** Spark SQL, for views of an attached table. Pure. */

import type { Types } from './columns.ts';
import { type Dialect, dayAfter, latestFirst, replaceView } from './dialect.ts';

const TYPES: Types = {
  text: 'STRING',
  timestamp: 'TIMESTAMP',
  date: 'DATE',
  integer: 'INT',
  texts: 'ARRAY<STRING>',
  faults: 'ARRAY<STRUCT<field: STRING, code: STRING>>',
  count: 'BIGINT',
  boolean: 'BOOLEAN',
};

/** How Spark spells the views. */
export const SPARK: Dialect = {
  types: TYPES,
  schema: '',
  replaceView,
  timestamp: (utc) => `TIMESTAMP '${utc}'`,
  // With the zone of the session on both sides, so that it does not matter which one that is. Since Spark 3.4.
  localDate: (time, zone) => `TO_DATE(CONVERT_TIMEZONE(${zone}, CAST(${time} AS TIMESTAMP_NTZ)))`,
  addDays: (date, days) => `DATE_ADD(${date}, ${days})`,
  daysBetween: (from, to) => `DATEDIFF(${to}, ${from})`,
  // A sequence from 0 to -1 would count down; explode() makes no row of NULL.
  countUp: (count) =>
    `LATERAL VIEW explode(CASE WHEN ${count} > 0 THEN sequence(0, ${count} - 1) END) counted AS counter`,
  counter: 'counted.counter',
  dayAfter,
  anyValue: (expression) => `ANY_VALUE(${expression})`,
  nullable: (expression) => expression,
  latestFirst,
};
