import { expect, test } from 'vitest';
import { agrees, EVENT_TYPES, RESERVATION_STATES } from '../../src/contract/values.ts';

test('agrees() holds for the state that an event type names, and for a hold that is not confirmed yet', () => {
  const pairs = EVENT_TYPES.flatMap((type) =>
    RESERVATION_STATES.filter((state) => agrees(type, state)).map((state) => `${type} ${state}`),
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
