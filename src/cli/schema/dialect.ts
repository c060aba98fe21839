/** What the views need of a database beyond the SQL that all of them share. Pure. */

import type { Types } from './columns.ts';

/** How one database spells it. */
export interface Dialect {
  readonly types: Types;
  /** The prefix of the name of a table or view. */
  readonly schema: string;
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

/** The latest first, as most databases take it. */
export function latestFirst(time: string, eventId: string): string {
  return `${time} DESC, ${eventId} DESC`;
}

/** Replaces a view, in the words that most databases know. */
export function replaceView(name: string, select: string): string {
  return `CREATE OR REPLACE VIEW ${name} AS\n${select};`;
}

/** The point in time a day later, as most databases take it. */
export function dayAfter(time: string): string {
  return `${time} + INTERVAL '1' DAY`;
}
