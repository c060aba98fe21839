/** ClickHouse in this process. */

import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type Engine, plain } from '../cli/schema/engines.ts';

/** What of chdb is used here. */
interface Chdb {
  readonly Session: new () => {
    query(sql: string, format: string): string;
    close(): void;
  };
}

export interface ClickHouse extends Engine {
  /** The rows of a query by the names of columns, in the form of a line: times with milliseconds. */
  records(sql: string): Promise<Record<string, unknown>[]>;
}

/**
 * ClickHouse, in a folder that goes when it is closed.
 *
 * @throws When `CHDB` does not name a folder in which `npm install chdb` was run.
 */
export async function openClickHouse(): Promise<ClickHouse> {
  const folder = process.env.CHDB;
  if (!folder) {
    throw new Error('Cannot test ClickHouse: run npm install --prefix FOLDER chdb@3.4.0 and set CHDB to FOLDER');
  }
  const { Session }: Chdb = createRequire(join(folder, 'index.js'))('chdb');
  const session = new Session();
  const records = (sql: string): Record<string, unknown>[] =>
    session
      .query(`${sql} SETTINGS output_format_json_quote_64bit_integers = 0`, 'JSONEachRow')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
  return {
    records: async (sql) => {
      const columns = records(`DESCRIBE TABLE (${sql})`);
      const times = columns.filter(({ type }) => String(type).includes('DateTime64')).map(({ name }) => String(name));
      return records(sql).map((row) => ({
        ...row,
        ...Object.fromEntries(times.map((name) => [name, asWritten(row[name])])),
      }));
    },
    run: async (sql) => void session.query(sql, 'Null'),
    rows: async (sql) =>
      session
        .query(sql, 'JSONCompactEachRow')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => (JSON.parse(line) as unknown[]).map(plain)),
    close: async () => session.close(),
  };
}

/** `2026-07-10 14:00:00.000000` as a line has it. */
function asWritten(time: unknown): unknown {
  return typeof time === 'string' ? `${time.replace(' ', 'T').replace(/000$/, '')}Z` : time;
}
