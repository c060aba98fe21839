/** A row as files show it that most people may read: without its guest, or with pseudonyms. Pure. */

import { factsOf, type Row } from '../contract/row.ts';
import type { KeyedDigest } from './digest.ts';
import { PERSONAL_COLUMNS, withoutTraces } from './erase-row.ts';
import { pseudonymOf } from './pseudonym.ts';

/**
 * Hides the guest of a row. Columns stay, so that all files have one shape.
 *
 * @param row - Of any schema version. It is left as it is.
 */
export function hideGuest(
  row: Readonly<Record<string, unknown>>,
  how: 'left_out' | 'pseudonyms',
  digest: KeyedDigest,
): Record<string, unknown> {
  const shown = withoutTraces(row, digest);
  for (const column of PERSONAL_COLUMNS) {
    const value = row[column] ?? null;
    shown[column] = how === 'left_out' ? null : inPseudonyms(column, value, digest);
  }
  return shown;
}

function inPseudonyms(column: keyof Row, value: unknown, digest: KeyedDigest): unknown {
  switch (factsOf(column).inPseudonyms) {
    case 'kept':
      return value;
    case 'null':
      return null;
    case 'digest':
      return typeof value === 'string' ? pseudonymOf(column, value, digest) : null;
  }
}
