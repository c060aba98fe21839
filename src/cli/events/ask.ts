/** `sql`: runs a query about events in DuckDB. */

import {
  type DuckDBConnection,
  DuckDBDecimalValue,
  DuckDBInstance,
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
import type { TimeRange } from '../list-hours.ts';
import { VIEWS } from '../schema/views.ts';
import type { TableRow } from '../table.ts';
import { createViews, type EventFiles } from './views.ts';

declare global {
  interface JSON {
    /** A value that JSON.stringify writes verbatim (ECMA-262, JSON.rawJSON). */
    rawJSON(text: string): { rawJSON: string };
  }
}

const INTERRUPT_EVERY_MS = 50;

/**
 * Checks a query without reading any event.
 *
 * @throws When DuckDB cannot parse it, when it names an unknown table or column, and when it is more than one
 * statement.
 */
export async function checkQuery(query: string): Promise<void> {
  await withConnection({}, async (connection) => {
    for (const statement of createViews({ table: [], published: [], landed: [] }, {})) await connection.run(statement);
    const statements = await connection.extractStatements(query).catch(cannotAnswer);
    if (statements.count !== 1) throw new Error('Cannot answer the query: give one statement at a time');
    await connection.prepare(query).catch(cannotAnswer);
  });
}

/**
 * Runs a query about the events in some files.
 *
 * @param scratch - A folder for what exceeds memory; it may then hold guests' data.
 * @param onRows - Receives the rows in batches, ready for JSON.stringify().
 * @throws When DuckDB cannot run it.
 */
export async function ask(
  files: EventFiles,
  range: TimeRange,
  query: string,
  scratch: string,
  signal: AbortSignal,
  onRows: (rows: readonly TableRow[]) => Promise<void>,
): Promise<void> {
  // Without this, DuckDB would use the folder .tmp in the working directory and leave it behind when it is killed.
  await withConnection({ temp_directory: scratch }, async (connection) => {
    let repeated: NodeJS.Timeout | undefined;
    const interrupt = () => {
      // DuckDB drops an interruption while it prepares the query, so it is repeated until it takes effect.
      repeated = setInterval(() => connection.interrupt(), INTERRUPT_EVERY_MS);
    };
    signal.throwIfAborted();
    signal.addEventListener('abort', interrupt);
    try {
      for (const statement of createViews(files, range)) await connection.run(statement);
      const result = await connection.stream(query).catch(cannotAnswer);
      const chunks = result.yieldConvertedRowObjects(toJson)[Symbol.asyncIterator]();
      for (;;) {
        const { value: rows, done } = await chunks.next().catch(cannotAnswer);
        signal.throwIfAborted();
        if (done) return;
        await onRows(rows);
      }
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    } finally {
      signal.removeEventListener('abort', interrupt);
      clearInterval(repeated);
    }
  });
}

/** Runs work with an in-memory database and closes it afterwards. */
export async function withConnection<Value>(
  options: Record<string, string>,
  work: (connection: DuckDBConnection) => Promise<Value>,
): Promise<Value> {
  const instance = await DuckDBInstance.create(':memory:', options);
  const connection = await instance.connect();
  try {
    return await work(connection);
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

function cannotAnswer(cause: unknown): never {
  const why = cause instanceof Error ? cause.message : String(cause);
  throw new Error(
    `Cannot answer the query: ${why.trim()}\n\nThe views are events, ${VIEWS.map(({ name }) => name).join(', ')}`,
    { cause },
  );
}

/**
 * Converts a value for JSON.stringify(). DuckDB's own conversion turns numbers that JavaScript cannot hold exactly into
 * strings; here they stay numbers with all their digits. Times are `YYYY-MM-DDTHH:MM:SS.sssZ`, truncated to
 * milliseconds.
 */
const toJson: DuckDBValueConverter<Json> = (value, type, converter) => {
  if (typeof value === 'bigint') return exactNumber(String(value));
  if (value instanceof DuckDBDecimalValue) return exactNumber(value.toString());
  const nanoseconds = nanosecondsOf(value);
  if (nanoseconds === undefined) return JsonDuckDBValueConverter(value, type, converter);
  const time = new Date(Number((nanoseconds - modulo(nanoseconds, 1_000_000n)) / 1_000_000n));
  // Infinity, or a year that a Date cannot hold.
  return Number.isNaN(time.getTime()) ? String(value) : time.toISOString();
};

function exactNumber(digits: string): Json {
  return String(Number(digits)) === digits ? Number(digits) : JSON.rawJSON(digits);
}

/** A timestamp in nanoseconds since 1970; undefined for any other value. */
function nanosecondsOf(value: DuckDBValue): bigint | undefined {
  if (value instanceof DuckDBTimestampValue || value instanceof DuckDBTimestampTZValue) return value.micros * 1_000n;
  if (value instanceof DuckDBTimestampNanosecondsValue) return value.nanos;
  if (value instanceof DuckDBTimestampMillisecondsValue) return value.millis * 1_000_000n;
  return value instanceof DuckDBTimestampSecondsValue ? value.seconds * 1_000_000_000n : undefined;
}

function modulo(dividend: bigint, divisor: bigint): bigint {
  return ((dividend % divisor) + divisor) % divisor;
}
