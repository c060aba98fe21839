/** What columnar objects show of guests. */

import { keyCheckOf, openKeyedDigest } from '../../guests/digest.ts';
import { hideGuest } from '../../guests/hide-guest.ts';
import type { GuestColumns } from '../../storage/guest-columns.ts';

/** What is done with guests in an object. */
export interface Guests {
  readonly columns: GuestColumns;
  /** Tells the objects that were written in this way, and with this key, from all others. */
  readonly mark: string;
  /** The row as the object shows it. */
  show(row: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>;
}

/** The mark of objects in which guests are as they are in `events/`, and of those that have none. */
export const KEPT = 'kept';

/**
 * Prepares what is done with guests.
 *
 * @param key - PSEUDONYM_KEY.
 * @throws When it takes a key and there is none.
 */
export async function openGuests(columns: GuestColumns, key: string | undefined): Promise<Guests> {
  if (columns === 'kept') return { columns, mark: KEPT, show: (row) => row };
  if (key === undefined) {
    throw new Error(
      `Cannot write Parquet: PARQUET_GUEST_COLUMNS = "${columns}" needs the secret PSEUDONYM_KEY, of 32 characters or more; set it with npm run secret -- set PSEUDONYM_KEY`,
    );
  }
  const digest = await openKeyedDigest(key);
  return { columns, mark: `${columns}:${keyCheckOf(digest)}`, show: (row) => hideGuest(row, columns, digest) };
}
