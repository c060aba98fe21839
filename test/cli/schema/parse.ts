/** Parsers for the SQL of databases that cannot run here, each of the one database that it knows best. */

import { Dialect, parse as parseAny } from '@polyglot-sql/sdk';
import { parse as parseGoogle } from 'sql-parser-cst';

/** Reads statements. @throws When they break the grammar. */
export type Parse = (sql: string) => void;

export const parseBigQuery: Parse = (sql) => void parseGoogle(sql, { dialect: 'bigquery' });

export const parseSnowflake: Parse = (sql) => {
  const { success, error } = parseAny(sql, Dialect.Snowflake);
  if (!success) throw new Error(error);
};
