/** Guests, who ask to be erased, and by what they are found. */

import { createKeyedDigest } from '../../src/guests/digest.ts';
import { type GuestSelection, wantedIdentifiers } from '../../src/guests/selection.ts';

/** A key for the simulation and nothing else. */
export const PSEUDONYM_KEY = 'a key for the simulation and nothing else';

/** After how many days guests are erased whom nobody has asked to erase. */
export const KEEP_DAYS = 1;

/** Whose ids the guests have. */
export const HOTEL = { integration: 'pms', property: 'hotel' } as const;

/** Every so many events are of a guest who asks to be erased. */
const EVERY = 3;
export const GUESTS = ['guest-one', 'guest-two'] as const;
export const NOBODY = 'somebody-else';

/** Whose the event of this number is. */
export function guestOf(event: number): string {
  return (event % EVERY === 0 ? GUESTS[(event / EVERY) % GUESTS.length] : undefined) ?? NOBODY;
}

/** What the tool is told of a guest. */
export function selectionOf(guest: string): GuestSelection {
  const none = { reservationIds: [], emails: [], phones: [], names: [], birthDates: [] };
  return { ...none, customerIds: [guest], integrationIds: [HOTEL.integration], propertyIds: [HOTEL.property] };
}

const digest = createKeyedDigest(PSEUDONYM_KEY);

/** Whose digests these are. */
export function guestOfDigests(digests: readonly string[]): string | undefined {
  return GUESTS.find((guest) =>
    [...wantedIdentifiers(selectionOf(guest))].some((each) => digests.includes(digest(each))),
  );
}
