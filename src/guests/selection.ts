/** Which guest is meant: what a person says of them, and the identifiers that are wanted then. Pure. */

import { emailsIn } from './email.ts';
import { type IdColumn, idIdentifier, UNKNOWN_SENDER, wantedPhones } from './identifiers.ts';
import { foldingsOf } from './person-name.ts';

/** What is said of a guest; anything that fits one of the values tells of the guest. */
export interface GuestSelection {
  readonly customerIds: readonly string[];
  readonly reservationIds: readonly string[];
  readonly emails: readonly string[];
  readonly phones: readonly string[];
  /** First and last name together, in any order. */
  readonly names: readonly string[];
  /** `YYYY-MM-DD`; a name counts together with one of them. */
  readonly birthDates: readonly string[];
  /** Whose ids are meant, since two systems may give the same id to two guests; those of every sender when empty. */
  readonly senders: readonly string[];
}

/** The identifiers that a selection wants, to be compared with those of what is stored. */
export function wantedIdentifiers(selection: GuestSelection): Set<string> {
  const { customerIds, reservationIds, emails, phones, names, birthDates, senders } = selection;
  const owners = senders.length === 0 ? [undefined] : [...senders, UNKNOWN_SENDER];
  const ids = (column: IdColumn, values: readonly string[]) =>
    values.flatMap((id) => owners.map((sender) => idIdentifier(column, id, sender)));
  return new Set([
    ...ids('customer_id', customerIds),
    ...ids('reservation_id', reservationIds),
    ...emails.flatMap(emailsIn).map((email) => `email:${email}`),
    ...phones.flatMap((phone) => [...wantedPhones(phone)]),
    ...names.flatMap((name) =>
      [...foldingsOf(name)].flatMap((folded) => birthDates.map((day) => `name_birth:${folded}:${day}`)),
    ),
  ]);
}
