/** What tests say of a guest, and rows in which they look. */

import { readRow } from '../../src/guests/row-identifiers.ts';
import { type GuestSelection, wantedIdentifiers } from '../../src/guests/selection.ts';
import { SMALL_EVENT } from '../sample.ts';
import { sampleRow } from '../sample-row.ts';

export const NOBODY: GuestSelection = {
  customerIds: [],
  reservationIds: [],
  integrationIds: [],
  propertyIds: [],
  emails: [],
  phones: [],
  names: [],
  birthDates: [],
};

export const HOTEL = { integrationIds: ['int-1'], propertyIds: ['hotel-1'] };

const EVENT = { ...SMALL_EVENT, IntegrationId: 'int-1', PropertyId: 'hotel-1', ReservationId: 'res-1' };

const EVENT_ID = '019e3b9d-9d90-7c3e-9a54-2b6f0c81d7e4';

/** The row of an event, as intake makes it. */
export function rowOf(columns: Readonly<Record<string, unknown>>) {
  return sampleRow({ ...EVENT, ...columns }, EVENT_ID);
}

/** Whether a person who says this finds a guest of whom that is stored. */
export function finds(said: Partial<GuestSelection>, stored: ReadonlySet<string>): boolean {
  return !stored.isDisjointFrom(wantedIdentifiers({ ...NOBODY, ...said }));
}

/** All identifiers in the row of an event. */
export function inRow(columns: Readonly<Record<string, unknown>>): Set<string> {
  const { own, named } = readRow(rowOf(columns));
  return own.union(named);
}

/** Those of the guest of the stay. */
export function ownIn(columns: Readonly<Record<string, unknown>>): ReadonlySet<string> {
  return readRow(rowOf(columns)).own;
}
