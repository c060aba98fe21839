/** One event of each type as a PMS would send it, wherever an example is shown. Pure. */

import { FIELDS } from '../../contract/fields.ts';
import { MEANINGS } from '../../contract/meanings.ts';
import type { EventColumn } from '../../contract/reservation.ts';
import { EVENT_TYPES, type EventType, type ReservationState } from '../../contract/values.ts';

/** An event and what it reports. */
export interface Example {
  readonly eventType: EventType;
  readonly summary: string;
  readonly event: Readonly<Record<string, unknown>>;
}

/** The example value of a field, as a PMS would send it. */
export function exampleOf(column: EventColumn): string | number {
  const { example } = MEANINGS[column];
  return typeof example === 'string' ? example.replace(/\.000Z$/, 'Z') : example;
}

/** The state in which each event leaves the reservation of the examples, and how it got there. */
const STORY: Readonly<
  Record<EventType, { state: ReservationState; summary: string; without: readonly EventColumn[] }>
> = {
  ReservationEnquired: {
    state: 'Enquired',
    summary: 'Somebody asks for a price',
    without: ['rate_id', 'birth_date', 'loyalty_code', 'nationality_code', 'staff_comment', 'phone'],
  },
  ReservationRequested: {
    state: 'Requested',
    summary: 'A booking is asked for and waits for the hotel',
    without: ['birth_date', 'loyalty_code', 'staff_comment'],
  },
  ReservationConfirmed: { state: 'Confirmed', summary: 'The hotel confirms the booking', without: [] },
  ReservationStarted: { state: 'Started', summary: 'The guest checks in', without: [] },
  ReservationProcessed: { state: 'Processed', summary: 'The guest has checked out', without: ['staff_comment'] },
  ReservationCanceled: {
    state: 'Canceled',
    summary: 'The booking is called off',
    without: ['staff_comment', 'meal_plan', 'birth_date'],
  },
};

/** An example of every event type, in the order of a stay. */
export const EXAMPLES: readonly Example[] = EVENT_TYPES.map((eventType) => {
  const { state, summary, without } = STORY[eventType];
  const told: Partial<Record<EventColumn, string>> = { event_type: eventType, reservation_state: state };
  const sent = FIELDS.filter(({ column }) => !without.includes(column));
  const members = sent.map(({ wire, column }) => [wire, told[column] ?? exampleOf(column)]);
  return { eventType, summary, event: Object.fromEntries(members) };
});
