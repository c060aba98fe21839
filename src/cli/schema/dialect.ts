/** Views, and the SQL they need that differs between databases. Pure. */

import type { Types } from './columns.ts';

export interface Dialect {
  /** The types of the tables that the views read beside `events`. */
  readonly types: Pick<Types, 'text' | 'timestamp' | 'integer' | 'faults' | 'boolean'>;
  /** Replaces a view, even if its columns have changed. */
  replaceView(name: string, select: string): string;
  /** A constant timestamp. @param utc - `YYYY-MM-DDTHH:MM:SSZ`. */
  timestamp(utc: string): string;
  /** The calendar date of a timestamp in a time zone (IANA name). Both arguments and the result are expressions. */
  localDate(time: string, zone: string): string;
  addDays(date: string, days: string): string;
  /** Whole days from one date to another. */
  daysBetween(from: string, to: string): string;
  /**
   * Follows a FROM clause: repeats each row for the numbers from 0 to `count` - 1, and drops it if `count` is 0. The
   * number is {@link Dialect.counter}.
   */
  countUp(count: string): string;
  readonly counter: string;
  dayAfter(time: string): string;
  /** An aggregate of values that are all equal. */
  anyValue(expression: string): string;
  /** Makes an expression nullable: some databases' window functions return a default value instead of NULL. */
  nullable(expression: string): string;
  /**
   * Follows ORDER BY: the latest event first, by when it happened, then by when it was received (the start of
   * `event_id`).
   */
  latestFirst(time: string, eventId: string): string;
}

/** A view, defined by one query for all databases. */
export interface View {
  readonly name: string;
  /** What the view answers, in a sentence or two. */
  readonly answers: string;
  readonly select: (dialect: Dialect) => string;
}

/**
 * When a reservation changed: `occurred_at`, unless it is more than a day after `received_at`. A sender's clock that is
 * decades ahead would otherwise freeze the state of a reservation.
 */
export function happened({ dayAfter }: Pick<Dialect, 'dayAfter'>): string {
  return `CASE WHEN occurred_at <= ${dayAfter('received_at')} THEN occurred_at ELSE received_at END`;
}

/** The key of a reservation: ids are unique within a hotel of an integration. */
export const RESERVATION = 'integration_id, property_id, reservation_id';

/** Defaults that fit most databases. */
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
    integer: 'INTEGER',
    faults: 'VARIANT',
    boolean: 'BOOLEAN',
  },
  timestamp: (utc) => `TO_TIMESTAMP_TZ('${utc}')`,
  localDate: (time, zone) => `TO_DATE(CONVERT_TIMEZONE(${zone}, ${time}))`,
  addDays: (date, days) => `DATEADD(day, ${days}, ${date})`,
  daysBetween: (from, to) => `DATEDIFF(day, ${from}, ${to})`,
  // The end of the range is exclusive.
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
    integer: 'INT',
    faults: 'ARRAY<STRUCT<field: STRING, code: STRING>>',
    boolean: 'BOOLEAN',
  },
  timestamp: (utc) => `TIMESTAMP '${utc}'`,
  // The cast and CONVERT_TIMEZONE both use the session's zone, whichever that is. Since Spark 3.4.
  localDate: (time, zone) => `TO_DATE(CONVERT_TIMEZONE(${zone}, CAST(${time} AS TIMESTAMP_NTZ)))`,
  addDays: (date, days) => `DATE_ADD(${date}, ${days})`,
  daysBetween: (from, to) => `DATEDIFF(${to}, ${from})`,
  // sequence(0, -1) would count down; explode() returns no row for NULL.
  countUp: (count) =>
    `LATERAL VIEW explode(CASE WHEN ${count} > 0 THEN sequence(0, ${count} - 1) END) counted AS counter`,
  counter: 'counted.counter',
};

/** Trino, for views of an attached table. */
export const TRINO: Dialect = {
  ...STANDARD,
  types: {
    text: 'VARCHAR',
    // The precision of Iceberg tables, where these tables may be created too.
    timestamp: 'TIMESTAMP(6) WITH TIME ZONE',
    integer: 'INTEGER',
    faults: 'ARRAY(ROW(field VARCHAR, code VARCHAR))',
    boolean: 'BOOLEAN',
  },
  timestamp: (utc) => `TIMESTAMP '${utc.replace('T', ' ').replace('Z', ' UTC')}'`,
  localDate: (time, zone) => `CAST(AT_TIMEZONE(${time}, ${zone}) AS DATE)`,
  addDays: (date, days) => `DATE_ADD('day', ${days}, ${date})`,
  daysBetween: (from, to) => `DATE_DIFF('day', ${from}, ${to})`,
  // SEQUENCE(0, -1) would count down; UNNEST returns no row for NULL.
  countUp: (count) =>
    `CROSS JOIN UNNEST(CASE WHEN ${count} > 0 THEN SEQUENCE(0, ${count} - 1) END) AS counted (counter)`,
  counter: 'counted.counter',
};
