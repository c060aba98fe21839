/** The pseudonym of a guest: the same for the same guest, however a value was written. Pure. */

import type { Row } from '../contract/row.ts';
import type { KeyedDigest } from './digest.ts';
import { emailsIn, wholeEmail } from './email.ts';
import { phonesIn } from './phone.ts';
import { foldText } from './text.ts';

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
 * Makes the pseudonym of a value of a column.
 *
 * @returns 32 hexadecimal digits. They differ from the digests of an erasure, so that the two cannot be compared.
 */
export function pseudonymOf(column: keyof Row, value: string, digest: KeyedDigest): string {
  const spelled = SPELLING[column]?.(value) ?? value.trim();
  return digest(`pseudonym:${column}:${spelled.normalize('NFC')}`);
}
