/** What a view is, and what views need of a database beyond the SQL that all of them share. Pure. */

import type { Types } from './columns.ts';

export interface Dialect {
  readonly types: Types;
  /** Replaces a view, also by one with other columns. */
  replaceView(name: string, select: string): string;
  /** A fixed point in time. @param utc - `YYYY-MM-DDTHH:MM:SSZ`. */
  timestamp(utc: string): string;
  /** The calendar date of a point in time on the clocks of a zone (IANA). All three are expressions. */
  localDate(time: string, zone: string): string;
  /** The date some days later. */
  addDays(date: string, days: string): string;
  /** Whole days from one date to another. */
  daysBetween(from: string, to: string): string;
  /**
   * Behind a FROM clause: repeats each row for the numbers from 0 to `count` - 1, and not at all where `count` is 0.
   * The number is {@link Dialect.counter}.
   */
  countUp(count: string): string;
  readonly counter: string;
  /** The point in time a day later. */
  dayAfter(time: string): string;
  /** Aggregates values that are all equal. */
  anyValue(expression: string): string;
  /** An expression that a window function may return as NULL, where the database would put a default value instead. */
  nullable(expression: string): string;
  /**
   * Behind ORDER BY: events by when they happened, then by when they were received, which is what an `event_id` begins with.
   */
  latestFirst(time: string, eventId: string): string;
}

/** A view: one query for all databases. */
export interface View {
  readonly name: string;
  /** What it answers, in a sentence or two. */
  readonly answers: string;
  readonly select: (dialect: Dialect) => string;
}

/**
 * When a change of a reservation happened, as far as is known: not more than a day after it was received. A clock that is
 * decades ahead would freeze the state of a reservation for good.
 */
export function happened({ dayAfter }: Pick<Dialect, 'dayAfter'>): string {
  return `CASE WHEN occurred_at <= ${dayAfter('received_at')} THEN occurred_at ELSE received_at END`;
}

/** The key of a reservation: its id is unique within a hotel of an integration. */
export const RESERVATION = 'integration_id, property_id, reservation_id';

/** What most databases spell in the same way. */
export const STANDARD = {
  replaceView: (name, select) => `CREATE OR REPLACE VIEW ${name} AS\n${select};`,
  dayAfter: (time) => `${time} + INTERVAL '1' DAY`,
  anyValue: (expression) => `ANY_VALUE(${expression})`,
  nullable: (expression) => expression,
  latestFirst: (time, eventId) => `${time} DESC, ${eventId} DESC`,
} as const satisfies Partial<Dialect>;

/** Snowflake, for views of an attached table. */
export const SNOWFLAKE: Dialect = {
  ...STANDARD,
  types: {
    text: 'VARCHAR',
    timestamp: 'TIMESTAMP_TZ',
    date: 'DATE',
    integer: 'INTEGER',
    texts: 'ARRAY',
    faults: 'VARIANT',
    count: 'INTEGER',
    boolean: 'BOOLEAN',
  },
  timestamp: (utc) => `TO_TIMESTAMP_TZ('${utc}')`,
  localDate: (time, zone) => `TO_DATE(CONVERT_TIMEZONE(${zone}, ${time}))`,
  addDays: (date, days) => `DATEADD(day, ${days}, ${date})`,
  daysBetween: (from, to) => `DATEDIFF(day, ${from}, ${to})`,
  // The end of a range is not in it.
  countUp: (count) => `, LATERAL FLATTEN(INPUT => ARRAY_GENERATE_RANGE(0, ${count})) counted`,
  counter: 'CAST(counted.value AS INTEGER)',
  dayAfter: (time) => `DATEADD(day, 1, ${time})`,
};

/** Spark SQL, for views of an attached table. */
export const SPARK: Dialect = {
  ...STANDARD,
  types: {
    text: 'STRING',
    timestamp: 'TIMESTAMP',
    date: 'DATE',
    integer: 'INT',
    texts: 'ARRAY<STRING>',
    faults: 'ARRAY<STRUCT<field: STRING, code: STRING>>',
    count: 'BIGINT',
    boolean: 'BOOLEAN',
  },
  timestamp: (utc) => `TIMESTAMP '${utc}'`,
  // With the zone of the session on both sides, so that it does not matter which one that is. Since Spark 3.4.
  localDate: (time, zone) => `TO_DATE(CONVERT_TIMEZONE(${zone}, CAST(${time} AS TIMESTAMP_NTZ)))`,
  addDays: (date, days) => `DATE_ADD(${date}, ${days})`,
  daysBetween: (from, to) => `DATEDIFF(${to}, ${from})`,
  // A sequence from 0 to -1 would count down; explode() makes no row of NULL.
  countUp: (count) =>
    `LATERAL VIEW explode(CASE WHEN ${count} > 0 THEN sequence(0, ${count} - 1) END) counted AS counter`,
  counter: 'counted.counter',
};

/** Trino, for views of an attached table. */
export const TRINO: Dialect = {
  ...STANDARD,
  types: {
    text: 'VARCHAR',
    // The precision that tables of Iceberg have, where these may be made too.
    timestamp: 'TIMESTAMP(6) WITH TIME ZONE',
    date: 'DATE',
    integer: 'INTEGER',
    texts: 'ARRAY(VARCHAR)',
    faults: 'ARRAY(ROW(field VARCHAR, code VARCHAR))',
    count: 'BIGINT',
    boolean: 'BOOLEAN',
  },
  timestamp: (utc) => `TIMESTAMP '${utc.replace('T', ' ').replace('Z', ' UTC')}'`,
  localDate: (time, zone) => `CAST(AT_TIMEZONE(${time}, ${zone}) AS DATE)`,
  addDays: (date, days) => `DATE_ADD('day', ${days}, ${date})`,
  daysBetween: (from, to) => `DATE_DIFF('day', ${from}, ${to})`,
  // A sequence from 0 to -1 would count down; UNNEST makes no row of NULL.
  countUp: (count) =>
    `CROSS JOIN UNNEST(CASE WHEN ${count} > 0 THEN SEQUENCE(0, ${count} - 1) END) AS counted (counter)`,
  counter: 'counted.counter',
};
