/** The guest to look for: what is known of them, and the identifiers that follow from it. Pure. */

import { wholeEmail } from './email.ts';
import { type IdColumn, idIdentifier, nameIdentifier, wantedPhones } from './identifiers.ts';
import { wantedNames } from './person-name.ts';

/** What is known of a guest; a match with any one of the values counts. */
export interface GuestSelection {
  readonly customerIds: readonly string[];
  readonly reservationIds: readonly string[];
  /** The issuers of these ids: integrations and their hotels, by the ids that the sender uses. Empty without ids. */
  readonly integrationIds: readonly string[];
  readonly propertyIds: readonly string[];
  readonly emails: readonly string[];
  readonly phones: readonly string[];
  /** First and last name together, in any order. */
  readonly names: readonly string[];
  /** `YYYY-MM-DD`; a name only counts together with one of them. */
  readonly birthDates: readonly string[];
}

/** The identifiers to look for, to be compared with those of stored data. */
export function wantedIdentifiers(selection: GuestSelection): Set<string> {
  const { integrationIds, propertyIds, emails, phones, names, birthDates } = selection;
  return new Set([
    ...idsOf(selection, integrationIds, propertyIds),
    ...emails.flatMap((email) => wholeEmail(email) ?? []).map((email) => `email:${email}`),
    ...phones.flatMap((phone) => [...wantedPhones(phone)]),
    ...names.flatMap((name) =>
      [...wantedNames(name)].flatMap((spelled) => birthDates.map((day) => nameIdentifier(spelled, day))),
    ),
  ]);
}

/**
 * The identifiers of ids in data that does not name its hotel, such as refused bodies: a person has to decide whose
 * they are, and nothing is erased because of them.
 */
export function idsOfUnknownHotels(selection: GuestSelection): Set<string> {
  const { integrationIds, propertyIds } = selection;
  return new Set([
    ...idsOf(selection, integrationIds, [null]),
    ...idsOf(selection, [null], propertyIds),
    ...idsOf(selection, [null], [null]),
  ]);
}

function idsOf(
  { customerIds, reservationIds }: GuestSelection,
  integrations: readonly (string | null)[],
  properties: readonly (string | null)[],
): string[] {
  const hotels = integrations.flatMap((integration) => properties.map((property) => ({ integration, property })));
  const ids = (column: IdColumn, values: readonly string[]) =>
    values.flatMap((id) => hotels.map((hotel) => idIdentifier(column, id, hotel)));
  return [...ids('customer_id', customerIds), ...ids('reservation_id', reservationIds)];
}
