/** Events that tests send. */

/** Every field of the contract, each with a value that is stored as it is. */
export const FULL_EVENT = {
  IntegrationId: 'int-48',
  PropertyId: 'prop-2207',
  EventType: 'ReservationConfirmed',
  ReservationId: 'res-77120',
  ReservationOrigin: 'BookingEngine',
  CreatedUtc: '2026-03-01T08:30:00.000Z',
  StartUtc: '2026-07-10T14:00:00.000Z',
  EndUtc: '2026-07-14T10:00:00.000Z',
  ReservationState: 'Confirmed',
  ReservationPurpose: 'Business',
  AssignedResourceNumber: '007',
  AdultCounts: 2,
  ChildCounts: 1,
  RateId: 'rate-weekly',
  MealPlan: 'HB',
  RoomTypeId: 'suite',
  FirstName: 'Zoë',
  LastName: 'Åkesson',
  CustomerId: 'cust-9',
  BirthDate: '1991-11-30',
  Email: 'zoe@example.com',
  Phone: '+46 8 123 456',
  NationalityCode: 'SE',
  LoyaltyCode: 'SILVER',
  PreferredLanguage: 'sv-SE',
  StaffComment: 'Late arrival, needs a cot',
} as const;

/** The seven required fields and nothing else. */
export const SMALL_EVENT = {
  IntegrationId: FULL_EVENT.IntegrationId,
  PropertyId: FULL_EVENT.PropertyId,
  EventType: FULL_EVENT.EventType,
  ReservationState: FULL_EVENT.ReservationState,
  AssignedResourceNumber: FULL_EVENT.AssignedResourceNumber,
  StartUtc: FULL_EVENT.StartUtc,
  EndUtc: FULL_EVENT.EndUtc,
} as const;

/** A name of the wire in snake case, with its first letter as it is. */
export const snakeCase = (name: string) => name.replace(/\B[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The same event under names in snake case. */
export const inSnakeCase = (event: object) =>
  Object.fromEntries(Object.entries(event).map(([name, value]) => [snakeCase(name).toLowerCase(), value]));
