import { expect, test } from 'vitest';
import { EVENT_TYPES, RESERVATION_STATES, stateAgrees } from '../../src/contract/values.ts';

test('stateAgrees() holds for the state that an event type names, and for a hold that is not confirmed yet', () => {
  const pairs = EVENT_TYPES.flatMap((type) =>
    RESERVATION_STATES.filter((state) => stateAgrees(type, state)).map((state) => `${type} ${state}`),
  );
  expect(pairs).toEqual([
    'ReservationEnquired Enquired',
    'ReservationEnquired Optional',
    'ReservationRequested Requested',
    'ReservationRequested Optional',
    'ReservationConfirmed Confirmed',
    'ReservationStarted Started',
    'ReservationProcessed Processed',
    'ReservationCanceled Canceled',
  ]);
});
