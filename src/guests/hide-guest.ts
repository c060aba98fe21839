/** A row as files show it that most people may read: without its guest, or with pseudonyms. Pure. */

import { factsOf, type Row } from '../contract/row.ts';
import type { KeyedDigest } from './digest.ts';
import { emailsIn, wholeEmail } from './email.ts';
import { PERSONAL_COLUMNS, withoutTraces } from './erase-row.ts';
import { phonesIn } from './phone.ts';
import { foldText } from './text.ts';

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

/** One spelling of a value, for columns in which the same is written in several ways; elsewhere blanks are ignored. */
const SPELLING: Partial<Record<keyof Row, (value: string) => string | undefined>> = {
  email: (value) => wholeEmail(value) ?? emailsIn(foldText(value)).next().value,
  // The last reading has the country code, if there is one.
  phone: (value) =>
    phonesIn(foldText(value))
      .map(({ international, national }) => international ?? national)
      .at(-1),
  loyalty_code: (value) => value.trim().toUpperCase(),
};

/**
 * The pseudonym of a value: the same for the same guest, however it was written. It differs from the digests of an
 * erasure, so that the two cannot be compared.
 */
function pseudonymOf(column: keyof Row, value: string, digest: KeyedDigest): string {
  const spelled = SPELLING[column]?.(value) ?? value.trim();
  return digest(`pseudonym:${column}:${spelled.normalize('NFC')}`);
}
