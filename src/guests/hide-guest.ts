/** Hiding the guest in rows of files that many people may read: left out, or replaced by pseudonyms. Pure. */

import { factsOf, type Row } from '../contract/row.ts';
import type { KeyedDigest } from './digest.ts';
import { emailsIn, wholeEmail } from './email.ts';
import { PERSONAL_COLUMNS, withoutTraces } from './erase-row.ts';
import { phonesIn } from './phone.ts';
import { foldText } from './text.ts';

/**
 * Hides the guest of a row. All columns stay, so that all files have the same shape.
 *
 * @param row - Of any schema version. It is not modified.
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

/** Normalises columns whose values are written in several ways; elsewhere only surrounding blanks are ignored. */
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
 * erasure, so that the two cannot be matched.
 */
function pseudonymOf(column: keyof Row, value: string, digest: KeyedDigest): string {
  const spelled = SPELLING[column]?.(value) ?? value.trim();
  return digest(`pseudonym:${column}:${spelled.normalize('NFC')}`);
}
