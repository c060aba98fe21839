/** `sql`: a question to DuckDB about events. */

import { DuckDBInstance } from '@duckdb/node-api';
import type { TimeRange } from '../list-hours.ts';
import { createViews } from './views.ts';

/** Answers a query about the events in these files, row by row as JSON values. */
export async function* ask(files: readonly string[], range: TimeRange, query: string) {
  const instance = await DuckDBInstance.create();
  const connection = await instance.connect();
  try {
    for (const statement of createViews(files, range)) await connection.run(statement);
    const result = await connection.stream(query);
    for await (const rows of result.yieldRowObjectJson()) yield* rows;
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}
