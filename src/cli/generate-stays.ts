/**
 * Generates realistic reservation events: stays of guests in hotels, going through their states. Equal seeds give equal
 * events.
 */

import { de, en, es, Faker, fr, it } from '@faker-js/faker';
import { type EventType, RESERVATION_ORIGINS, RESERVATION_PURPOSES } from '../contract/values.ts';

/** An event as a PMS sends it. */
export type WireEvent = Record<string, string | number>;

/** What may follow each event of a reservation; likely successors are repeated. A final event has none. */
const NEXT: Readonly<Record<EventType, readonly EventType[]>> = {
  ReservationEnquired: ['ReservationRequested', 'ReservationRequested', 'ReservationCanceled'],
  ReservationRequested: ['ReservationConfirmed', 'ReservationConfirmed', 'ReservationCanceled'],
  ReservationConfirmed: ['ReservationStarted', 'ReservationStarted', 'ReservationStarted', 'ReservationCanceled'],
  ReservationStarted: ['ReservationProcessed'],
  ReservationProcessed: [],
  ReservationCanceled: [],
};

/** Guests from several countries, so that not all names are ASCII. */
const GUESTS = [
  { locale: en, nationality: 'GB', language: 'en-GB' },
  { locale: de, nationality: 'DE', language: 'de-DE' },
  { locale: fr, nationality: 'FR', language: 'fr-FR' },
  { locale: es, nationality: 'ES', language: 'es-ES' },
  { locale: it, nationality: 'IT', language: 'it-IT' },
];

const HOTELS = 8;
const ROOMS = 120;
/** Reservations that are open at the same time. */
const OPEN_RESERVATIONS = 40;
const DAY_MS = 86_400_000;
/** Stays lie around this day, so that equal seeds always give equal events. */
const SEASON = Date.UTC(2026, 6, 1);

/**
 * Generates events without end. The events of a reservation come in order, interleaved with those of others.
 *
 * @param seed - Any integer.
 */
export function* generateStays(seed: number): Generator<WireEvent, never> {
  const random = new Faker({ locale: en, seed });
  const guests = GUESTS.map((guest) => ({ ...guest, faker: new Faker({ locale: [guest.locale, en], seed }) }));
  const open: WireEvent[] = [];
  let made = 0;
  for (;;) {
    if (open.length < OPEN_RESERVATIONS) {
      made += 1;
      open.push(book(random, random.helpers.arrayElement(guests), made));
    }
    const at = random.number.int(open.length - 1);
    const event = open[at];
    if (event === undefined) continue;
    yield event;
    const following = NEXT[event.EventType as EventType];
    if (following.length === 0) open.splice(at, 1);
    else open[at] = enter(event, random.helpers.arrayElement(following));
  }
}

function enter(event: WireEvent, eventType: EventType): WireEvent {
  return { ...event, EventType: eventType, ReservationState: eventType.replace('Reservation', '') };
}

type Guest = (typeof GUESTS)[number] & { readonly faker: Faker };

function book(random: Faker, { faker, nationality, language }: Guest, made: number): WireEvent {
  const arrival = SEASON + random.number.int({ min: -60, max: 120 }) * DAY_MS + 14 * 3_600_000;
  const hotel = random.number.int({ min: 1, max: HOTELS });
  const firstName = faker.person.firstName();
  const lastName = faker.person.lastName();
  const event: WireEvent = {
    IntegrationId: 'int-demo',
    PropertyId: `hotel-${String(hotel).padStart(2, '0')}`,
    ReservationId: `res-${String(made).padStart(6, '0')}`,
    ReservationOrigin: random.helpers.arrayElement(RESERVATION_ORIGINS),
    CreatedUtc: new Date(arrival - random.number.int({ min: 1, max: 200 }) * DAY_MS).toISOString(),
    StartUtc: new Date(arrival).toISOString(),
    EndUtc: new Date(arrival + random.number.int({ min: 1, max: 14 }) * DAY_MS - 4 * 3_600_000).toISOString(),
    ReservationPurpose: random.helpers.arrayElement(RESERVATION_PURPOSES),
    AssignedResourceNumber: String(random.number.int({ min: 1, max: ROOMS })).padStart(4, '0'),
    AdultCounts: random.number.int({ min: 1, max: 4 }),
    ChildCounts: random.number.int(3),
    RateId: random.helpers.arrayElement(['rate-flex', 'rate-saver', 'rate-member']),
    MealPlan: random.helpers.arrayElement(['RO', 'BB', 'HB', 'FB']),
    RoomTypeId: random.helpers.arrayElement(['single', 'double', 'suite']),
    FirstName: firstName,
    LastName: lastName,
    CustomerId: `cust-${random.string.alphanumeric(8)}`,
    BirthDate: faker.date.birthdate({ refDate: SEASON }).toISOString().slice(0, 10),
    Email: faker.internet.exampleEmail({ firstName, lastName }),
    Phone: faker.phone.number({ style: 'international' }),
    NationalityCode: nationality,
    LoyaltyCode: random.helpers.arrayElement(['NONE', 'SILVER', 'GOLD']),
    PreferredLanguage: language,
    StaffComment: random.helpers.arrayElement([
      'Late arrival',
      'Needs a cot',
      'Quiet room, please',
      'Allergic to feathers',
    ]),
  };
  return enter(event, random.helpers.arrayElement<EventType>(['ReservationEnquired', 'ReservationConfirmed']));
}
