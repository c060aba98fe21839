/** The values that the contract allows, exactly as a PMS has to send them. */

/** What happened to the reservation. */
export const EVENT_TYPES = [
  'ReservationEnquired',
  'ReservationRequested',
  'ReservationConfirmed',
  'ReservationStarted',
  'ReservationProcessed',
  'ReservationCanceled',
] as const;

/** The state of the reservation after the event. */
export const RESERVATION_STATES = [
  'Enquired',
  'Requested',
  'Optional',
  'Confirmed',
  'Started',
  'Processed',
  'Canceled',
] as const;

/** Where the reservation came from. */
export const RESERVATION_ORIGINS = ['GDS', 'ChannelManager', 'BookingEngine', 'Other'] as const;

/** Why the guest travels. */
export const RESERVATION_PURPOSES = ['Leisure', 'Business', 'Student'] as const;

/** What senders are advised to send while no room is assigned. It is stored like any other room. */
export const NO_ROOM = 'unassigned';

export type EventType = (typeof EVENT_TYPES)[number];
export type ReservationState = (typeof RESERVATION_STATES)[number];

/**
 * Whether an event of this type leaves a reservation in this state. `Optional` has no event type of its own: it is a
 * hold that was requested and is not yet confirmed.
 */
export function stateAgrees(eventType: EventType, state: ReservationState): boolean {
  return state === 'Optional'
    ? eventType === 'ReservationEnquired' || eventType === 'ReservationRequested'
    : eventType === `Reservation${state}`;
}
