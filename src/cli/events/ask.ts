/** `sql`: a question to DuckDB about events. */

import { DuckDBInstance } from '@duckdb/node-api';
import type { TimeRange } from '../list-hours.ts';
import { VIEWS } from '../schema/views.ts';
import { createViews } from './views.ts';

/** Answers a query about the events in these files, row by row as JSON values. @throws When DuckDB cannot. */
export async function* ask(files: readonly string[], range: TimeRange, query: string) {
  const instance = await DuckDBInstance.create();
  const connection = await instance.connect();
  try {
    for (const statement of createViews(files, range)) await connection.run(statement);
    const result = await connection.stream(query);
    for await (const rows of result.yieldRowObjectJson()) yield* rows;
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Error(
      `Cannot answer the query: ${why.trim()}\n\nThere are the views events, ${VIEWS.map(({ name }) => name).join(', ')}`,
      { cause },
    );
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}
