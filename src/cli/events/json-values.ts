/** Values of DuckDB as JSON: numbers as numbers, times as in the files. Pure. */

import {
  DuckDBDecimalValue,
  DuckDBTimestampMillisecondsValue,
  DuckDBTimestampNanosecondsValue,
  DuckDBTimestampSecondsValue,
  DuckDBTimestampTZValue,
  DuckDBTimestampValue,
  type DuckDBValue,
  type DuckDBValueConverter,
  type Json,
  JsonDuckDBValueConverter,
} from '@duckdb/node-api';

declare global {
  interface JSON {
    /** Makes what JSON.stringify writes as it stands (ECMA-262, JSON.rawJSON). */
    rawJSON(text: string): { rawJSON: string };
  }
}

/**
 * Converts a value for JSON.stringify(). DuckDB's own conversion makes strings of numbers that JavaScript cannot hold
 * exactly; here they are numbers with all their digits. Times are `YYYY-MM-DDTHH:MM:SS.sssZ`, cut to milliseconds.
 */
export const toJson: DuckDBValueConverter<Json> = (value, type, converter) => {
  if (typeof value === 'bigint') return exactNumber(String(value));
  if (value instanceof DuckDBDecimalValue) return exactNumber(value.toString());
  const nanoseconds = nanosecondsOf(value);
  if (nanoseconds === undefined) return JsonDuckDBValueConverter(value, type, converter);
  const time = new Date(Number((nanoseconds - modulo(nanoseconds, 1_000_000n)) / 1_000_000n));
  // Infinity, and years that a Date cannot hold.
  return Number.isNaN(time.getTime()) ? String(value) : time.toISOString();
};

function exactNumber(digits: string): Json {
  return String(Number(digits)) === digits ? Number(digits) : JSON.rawJSON(digits);
}

/** Nanoseconds since 1970 of a timestamp, undefined for any other value. */
function nanosecondsOf(value: DuckDBValue): bigint | undefined {
  if (value instanceof DuckDBTimestampValue || value instanceof DuckDBTimestampTZValue) return value.micros * 1_000n;
  if (value instanceof DuckDBTimestampNanosecondsValue) return value.nanos;
  if (value instanceof DuckDBTimestampMillisecondsValue) return value.millis * 1_000_000n;
  return value instanceof DuckDBTimestampSecondsValue ? value.seconds * 1_000_000_000n : undefined;
}

function modulo(dividend: bigint, divisor: bigint): bigint {
  return ((dividend % divisor) + divisor) % divisor;
}
