/** How the table shows guests. */

import { createKeyedDigest, keyCheckOf } from '../guests/digest.ts';
import { hideGuest } from '../guests/hide-guest.ts';
import { type GuestColumns, MIN_PSEUDONYM_KEY } from '../guests/settings.ts';

/** How guests are shown in a data file. */
export interface Guests {
  readonly columns: GuestColumns;
  /** Distinguishes files written in this way and with this key from all others. */
  readonly mark: string;
  /** The row as the table shows it. */
  show(row: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>;
}

/**
 * Prepares how guests are shown.
 *
 * @param key - PSEUDONYM_KEY.
 * @throws When the setting needs a key and there is none.
 */
export function createGuests(columns: GuestColumns, key: string | undefined): Guests {
  if (columns === 'kept') return { columns, mark: columns, show: (row) => row };
  if (key === undefined) {
    throw new Error(
      `Cannot write the table: TABLE_GUEST_COLUMNS = "${columns}" needs the secret PSEUDONYM_KEY, of ${MIN_PSEUDONYM_KEY} characters or more; set it with npm run secret -- set PSEUDONYM_KEY`,
    );
  }
  const digest = createKeyedDigest(key);
  return { columns, mark: `${columns}-${keyCheckOf(digest)}`, show: (row) => hideGuest(row, columns, digest) };
}
