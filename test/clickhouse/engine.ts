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

/**
 * ClickHouse, in a folder that goes when it is closed.
 *
 * @throws When `CHDB` does not name a folder in which `npm install chdb` was run.
 */
export async function openClickHouse(): Promise<Engine> {
  const folder = process.env.CHDB;
  if (!folder) {
    throw new Error('Cannot test ClickHouse: run npm install --prefix FOLDER chdb@3.4.0 and set CHDB to FOLDER');
  }
  const { Session }: Chdb = createRequire(join(folder, 'index.js'))('chdb');
  const session = new Session();
  return {
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
