/** A parser for the SQL of databases that cannot run here. */

import { type Dialect, parse } from '@polyglot-sql/sdk';

/** Reads statements. @throws When they break the grammar. */
export function parseSql(sql: string, dialect: Dialect): void {
  const { success, error } = parse(sql, dialect);
  if (!success) throw new Error(error);
}
