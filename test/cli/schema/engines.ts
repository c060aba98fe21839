/** Databases that run in this process, behind one small port. */

import { DuckDBInstance } from '@duckdb/node-api';
import { PGlite, types } from '@electric-sql/pglite';

/** A database. */
export interface Engine {
  /** Runs statements. @throws When one fails. */
  run(sql: string): Promise<void>;
  /** The rows of a query; numbers as numbers, dates as `YYYY-MM-DD`. */
  rows(sql: string): Promise<unknown[][]>;
  close(): Promise<void>;
}

/** DuckDB, in memory. */
export async function openDuckDb(): Promise<Engine> {
  const instance = await DuckDBInstance.create();
  const connection = await instance.connect();
  return {
    run: async (sql) => void (await connection.run(sql)),
    rows: async (sql) => (await connection.runAndReadAll(sql)).getRowsJson().map((row) => row.map(plain)),
    close: async () => {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

/** PostgreSQL, in memory. */
export async function openPostgres(): Promise<Engine & { readonly database: PGlite }> {
  const database = await PGlite.create({ parsers: { [types.DATE]: (text: string) => text } });
  // Times without a zone are UTC.
  await database.exec("SET TIME ZONE 'UTC'");
  return {
    database,
    run: async (sql) => void (await database.exec(sql)),
    rows: async (sql) => {
      const { rows } = await database.query<unknown[]>(sql, [], { rowMode: 'array' });
      return rows.map((row) => row.map(plain));
    },
    close: () => database.close(),
  };
}

/** A number, where a driver gives one as text because it could be too long for a double. */
export function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  return typeof value === 'string' && /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(value) ? Number(value) : value;
}
