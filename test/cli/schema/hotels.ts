/** A few events of three hotels, small enough to work out every answer by hand; and those answers. */

import { createHash } from 'node:crypto';
import { sampleRow } from '../../sample-row.ts';

interface Told {
  readonly at: string;
  readonly hotel: string;
  readonly stay: string | null;
  readonly room: string;
  readonly state: string;
  readonly from: string;
  readonly to: string;
  readonly key?: string;
  readonly extra?: string;
  /** When the PMS says that it happened. */
  readonly happened?: string;
}

const R1 = { hotel: 'prague', stay: 'r1', room: 'A1', from: '2026-06-10T22:30:00Z', to: '2026-06-13T08:00:00Z' };
const R2 = { hotel: 'prague', stay: 'r2', room: 'A2', from: '2026-06-11T13:00:00Z', to: '2026-06-12T09:00:00Z' };
const R3 = { hotel: 'prague', stay: 'r3', room: 'A3', from: '2026-06-11T13:00:00Z', to: '2026-06-14T09:00:00Z' };
const G1 = { hotel: 'new-york', stay: 'g1', from: '2026-06-11T03:00:00Z', to: '2026-06-13T15:00:00Z' };
const G3 = { hotel: 'new-york', stay: 'g3', from: '2026-07-01T20:00:00Z', to: '2026-07-02T15:00:00Z' };
const G4 = { hotel: 'new-york', stay: 'g4', room: 'B6', from: '2026-06-09T20:00:00Z', to: '2026-06-10T15:00:00Z' };
const X1 = { hotel: 'plain', stay: 'x1', room: 'C1', from: '2026-06-01T23:30:00Z', to: '2026-06-02T10:00:00Z' };
const X4 = { ...X1, stay: 'x4' };
const NAMELESS = { hotel: 'plain', stay: null, room: 'C7', from: '2026-06-05T12:00:00Z', to: '2026-06-06T10:00:00Z' };

const TOLD: readonly Told[] = [
  // A late retry of the confirmation does not reinstate what was canceled in between.
  { at: '2026-05-01T10:00:00.000Z', ...R1, state: 'Confirmed', key: 'k1' },
  { at: '2026-05-02T10:00:00.000Z', ...R1, state: 'Canceled', key: 'k2' },
  { at: '2026-05-03T10:00:00.000Z', ...R1, state: 'Confirmed', key: 'k1' },
  // A retry in between does not hide that it was reinstated afterwards, which is the 6th of May in Prague.
  { at: '2026-05-01T11:00:00.000Z', ...R2, state: 'Confirmed', key: 'm1' },
  { at: '2026-05-04T10:00:00.000Z', ...R2, state: 'Canceled', key: 'm2' },
  { at: '2026-05-04T10:05:00.000Z', ...R2, state: 'Confirmed', key: 'm1' },
  { at: '2026-05-05T22:30:00.000Z', ...R2, state: 'Confirmed', key: 'm3' },
  // A price that changes is a change; told twice, it is one.
  { at: '2026-05-01T12:00:00.000Z', ...R3, state: 'Confirmed', extra: '{"Price":100}' },
  { at: '2026-05-02T12:00:00.000Z', ...R3, state: 'Confirmed', extra: '{"Price":120}' },
  { at: '2026-05-02T12:01:00.000Z', ...R3, state: 'Confirmed', extra: '{"Price":120}' },
  { at: '2026-06-11T14:00:00.000Z', ...R3, state: 'Started' },
  { at: '2026-06-14T09:00:00.000Z', ...R3, state: 'Processed' },
  { at: '2026-06-14T09:10:00.000Z', ...R3, state: 'Started' },
  // Three rooms under one reservation, one of which is given back on the 31st of May in New York.
  { at: '2026-05-01T10:00:01.000Z', ...G1, room: 'B1', state: 'Confirmed' },
  { at: '2026-05-01T10:00:02.000Z', ...G1, room: 'B2', state: 'Confirmed' },
  { at: '2026-05-01T10:00:03.000Z', ...G1, room: 'B3', state: 'Confirmed' },
  { at: '2026-06-01T02:00:00.000Z', ...G1, room: 'B2', state: 'Canceled' },
  { at: '2026-06-12T12:00:00.000Z', ...G1, stay: 'g2', room: 'B9', state: 'Enquired' },
  // A room that is assigned later: one stay.
  { at: '2026-05-01T10:00:05.000Z', ...G3, room: 'unassigned', state: 'Confirmed' },
  { at: '2026-05-10T10:00:00.000Z', ...G3, room: 'B5', state: 'Confirmed' },
  // Nobody came, and the hotel gave the room away the next day.
  { at: '2026-05-01T10:00:06.000Z', ...G4, state: 'Confirmed' },
  { at: '2026-06-10T13:00:00.000Z', ...G4, state: 'Canceled' },
  { at: '2026-05-01T10:00:04.000Z', ...X1, state: 'Confirmed' },
  // Nobody knows the end.
  {
    at: '2026-05-01T10:05:00.000Z',
    ...X1,
    stay: 'x2',
    from: '2026-05-20T12:00:00Z',
    to: '9999-12-31T23:59:59.999Z',
    state: 'Confirmed',
  },
  { at: '2026-05-01T10:10:00.000Z', ...X1, stay: 'x3', state: 'Optional' },
  // What was refused, and sent again after a cancellation, is from before it. The cancellation is told twice.
  { at: '2026-05-01T10:20:00.000Z', ...X4, state: 'Requested' },
  {
    at: '2026-05-03T10:00:00.000Z',
    ...X4,
    state: 'Canceled',
    happened: '2026-05-03T09:59:00.000Z',
    extra: '{"a":1,"b":2}',
  },
  {
    at: '2026-05-03T10:01:00.000Z',
    ...X4,
    state: 'Canceled',
    happened: '2026-05-03T09:59:00.000Z',
    extra: '{"a":1,"b":2}',
  },
  { at: '2026-05-04T10:00:00.000Z', ...X4, state: 'Confirmed', happened: '2026-05-02T10:00:00.000Z' },
  // It ends before it begins.
  { at: '2026-05-01T10:30:00.000Z', ...X1, stay: 'x5', to: '2026-05-30T10:00:00Z', state: 'Confirmed' },
  // A clock that is ahead by decades does not keep the reservation from being canceled.
  { at: '2026-05-01T10:31:00.000Z', ...X1, stay: 'x6', state: 'Confirmed', happened: '2062-01-01T00:00:00.000Z' },
  { at: '2026-05-02T10:31:00.000Z', ...X1, stay: 'x6', state: 'Canceled', happened: '2026-05-02T10:30:00.000Z' },
  // Told twice, of no reservation.
  { at: '2026-06-02T00:10:00.000Z', ...NAMELESS, state: 'Confirmed' },
  { at: '2026-06-02T00:11:00.000Z', ...NAMELESS, state: 'Confirmed' },
];

/** The rows. */
export const ROWS = TOLD.map(
  ({ at, hotel, stay, room, state, from, to, key = null, extra = null, happened }, index) => {
    const event = {
      IntegrationId: 'int-1',
      PropertyId: hotel,
      EventType: `Reservation${state === 'Optional' ? 'Requested' : state}`,
      ReservationState: state,
      AssignedResourceNumber: room,
      StartUtc: from,
      EndUtc: to,
      ReservationId: stay,
      AdultCounts: 2,
      ChildCounts: stay === 'r3' ? 1 : 0,
    };
    const time = Date.parse(at).toString(16).padStart(12, '0');
    const id = `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${String(index).padStart(12, '0')}`;
    const fingerprint = createHash('md5')
      .update(JSON.stringify([event, extra]))
      .digest('hex');
    return {
      ...sampleRow(event, id, fingerprint),
      occurred_at: happened ?? null,
      idempotency_key: key,
      extra,
      warnings: [],
    };
  },
);

/** What no event says. */
export const PROPERTIES = [
  ['int-1', 'prague', 'Europe/Prague', 4, false],
  ['int-1', 'new-york', 'America/New_York', null, true],
] as const;

/** Refused bodies: one that was tried twice, and another. */
export const REJECTIONS = [
  ['01', '2026-05-01T10:00:00.000Z', 'aaaa'],
  ['02', '2026-05-01T10:05:00.000Z', 'aaaa'],
  ['03', '2026-05-01T10:06:00.000Z', 'bbbb'],
].map(([rejection_id, rejected_at, body_fingerprint]) => ({
  rejection_id,
  rejected_at,
  sender: 'default',
  status: 422,
  problem: 'invalid-event',
  reason: 'invalid_event',
  errors: [{ field: 'EndUtc', code: 'missing' }],
  body_fingerprint,
}));

/** Questions in the SQL that all databases share, and their answers. */
export const ANSWERS: readonly { readonly view: string; readonly sql: string; readonly rows: readonly unknown[][] }[] =
  [
    {
      view: 'distinct_events',
      sql: 'SELECT property_id, reservation_id, COUNT(*) AS events FROM distinct_events GROUP BY property_id, reservation_id ORDER BY property_id, reservation_id',
      rows: [
        ['new-york', 'g1', 4],
        ['new-york', 'g2', 1],
        ['new-york', 'g3', 2],
        ['new-york', 'g4', 2],
        ['plain', 'x1', 1],
        ['plain', 'x2', 1],
        ['plain', 'x3', 1],
        ['plain', 'x4', 3],
        ['plain', 'x5', 1],
        ['plain', 'x6', 2],
        ['plain', null, 1],
        ['prague', 'r1', 2],
        ['prague', 'r2', 3],
        ['prague', 'r3', 5],
      ],
    },
    {
      view: 'latest_reservations',
      sql: 'SELECT reservation_id, reservation_state FROM latest_reservations ORDER BY reservation_id',
      rows: [
        ['g1', 'Canceled'],
        ['g2', 'Enquired'],
        ['g3', 'Confirmed'],
        ['g4', 'Canceled'],
        ['r1', 'Canceled'],
        ['r2', 'Confirmed'],
        ['r3', 'Started'],
        ['x1', 'Confirmed'],
        ['x2', 'Confirmed'],
        ['x3', 'Optional'],
        ['x4', 'Canceled'],
        ['x5', 'Confirmed'],
        ['x6', 'Canceled'],
      ],
    },
    {
      view: 'latest_reservation_rooms',
      sql: "SELECT assigned_resource_number, reservation_state FROM latest_reservation_rooms WHERE reservation_id IN ('g1', 'g3') ORDER BY assigned_resource_number",
      rows: [
        ['B1', 'Confirmed'],
        ['B2', 'Canceled'],
        ['B3', 'Confirmed'],
        ['B5', 'Confirmed'],
      ],
    },
    {
      view: 'stay_versions',
      sql: "SELECT reservation_state, previous_state, changed_on, replaced_on FROM stay_versions WHERE reservation_id = 'r2' ORDER BY changed_at",
      rows: [
        ['Confirmed', null, '2026-05-01', '2026-05-04'],
        ['Canceled', 'Confirmed', '2026-05-04', '2026-05-06'],
        ['Confirmed', 'Canceled', '2026-05-06', null],
      ],
    },
    {
      view: 'stay_versions of a room that is assigned later',
      sql: "SELECT room, reservation_state, previous_state, changed_on, replaced_on FROM stay_versions WHERE reservation_id = 'g3' ORDER BY changed_at",
      rows: [
        ['unassigned', 'Confirmed', null, '2026-05-01', '2026-05-10'],
        ['B5', 'Confirmed', 'Confirmed', '2026-05-10', null],
      ],
    },
    {
      view: 'stays',
      sql: 'SELECT reservation_id, room, reservation_state FROM stays ORDER BY reservation_id, room',
      rows: [
        ['g1', 'B1', 'Confirmed'],
        ['g1', 'B2', 'Canceled'],
        ['g1', 'B3', 'Confirmed'],
        ['g2', 'B9', 'Enquired'],
        ['g3', 'B5', 'Confirmed'],
        ['g4', 'B6', 'Canceled'],
        ['r1', '', 'Canceled'],
        ['r2', '', 'Confirmed'],
        ['r3', '', 'Started'],
        ['x1', '', 'Confirmed'],
        ['x2', '', 'Confirmed'],
        ['x3', '', 'Optional'],
        ['x4', '', 'Canceled'],
        ['x5', '', 'Confirmed'],
        ['x6', '', 'Canceled'],
      ],
    },
    {
      view: 'length_of_stay',
      sql: 'SELECT reservation_id, room, arrival, departure, nights FROM length_of_stay ORDER BY reservation_id, room',
      rows: [
        ['g1', 'B1', '2026-06-10', '2026-06-13', 3],
        ['g1', 'B3', '2026-06-10', '2026-06-13', 3],
        ['g3', 'B5', '2026-07-01', '2026-07-02', 1],
        ['r2', '', '2026-06-11', '2026-06-12', 1],
        ['r3', '', '2026-06-11', '2026-06-14', 3],
        ['x1', '', '2026-06-01', '2026-06-02', 1],
        ['x2', '', '2026-05-20', null, null],
        ['x5', '', '2026-06-01', '2026-05-30', null],
      ],
    },
    {
      view: 'moved_backwards',
      sql: 'SELECT reservation_id, previous_state, reservation_state FROM moved_backwards ORDER BY reservation_id',
      rows: [
        ['r2', 'Canceled', 'Confirmed'],
        ['r3', 'Processed', 'Started'],
      ],
    },
    {
      view: 'cancellations',
      sql: 'SELECT reservation_id, room, canceled_on, arrival, nights, lead_days FROM cancellations ORDER BY reservation_id',
      rows: [
        ['g1', 'B2', '2026-05-31', '2026-06-10', 3, 10],
        ['g4', 'B6', '2026-06-10', '2026-06-09', 1, -1],
        ['r1', '', '2026-05-02', '2026-06-11', 2, 40],
        ['x4', '', '2026-05-03', '2026-06-01', 1, 29],
        ['x6', '', '2026-05-02', '2026-06-01', 1, 30],
      ],
    },
    {
      view: 'no_show_candidates',
      sql: 'SELECT reservation_id, room, reservation_state, arrival, known_through FROM no_show_candidates ORDER BY reservation_id, room',
      rows: [
        ['g1', 'B1', 'Confirmed', '2026-06-10', '2026-06-12'],
        ['g1', 'B3', 'Confirmed', '2026-06-10', '2026-06-12'],
        ['g4', 'B6', 'Canceled', '2026-06-09', '2026-06-12'],
        ['r2', '', 'Confirmed', '2026-06-11', '2026-06-14'],
        ['x1', '', 'Confirmed', '2026-06-01', '2026-06-02'],
        ['x2', '', 'Confirmed', '2026-05-20', '2026-06-02'],
        ['x5', '', 'Confirmed', '2026-06-01', '2026-06-02'],
      ],
    },
    {
      view: 'room_nights',
      sql: "SELECT reservation_id, room, night FROM room_nights WHERE property_id <> 'plain' ORDER BY reservation_id, room, night",
      rows: [
        ['g1', 'B1', '2026-06-10'],
        ['g1', 'B1', '2026-06-11'],
        ['g1', 'B1', '2026-06-12'],
        ['g1', 'B3', '2026-06-10'],
        ['g1', 'B3', '2026-06-11'],
        ['g1', 'B3', '2026-06-12'],
        ['g3', 'B5', '2026-07-01'],
        ['r2', '', '2026-06-11'],
        ['r3', '', '2026-06-11'],
        ['r3', '', '2026-06-12'],
        ['r3', '', '2026-06-13'],
      ],
    },
    {
      view: 'room_nights of an open end',
      sql: "SELECT reservation_id, COUNT(*) AS nights, MIN(night) AS first, MAX(night) AS last FROM room_nights WHERE property_id = 'plain' GROUP BY reservation_id ORDER BY reservation_id",
      rows: [
        ['x1', 1, '2026-06-01', '2026-06-01'],
        ['x2', 1096, '2026-05-20', '2029-05-19'],
      ],
    },
    {
      view: 'occupancy',
      sql: "SELECT property_id, night, occupied_rooms, adults, children, occupancy FROM occupancy WHERE property_id <> 'plain' ORDER BY property_id, night",
      rows: [
        ['new-york', '2026-06-10', 2, 4, 0, null],
        ['new-york', '2026-06-11', 2, 4, 0, null],
        ['new-york', '2026-06-12', 2, 4, 0, null],
        ['new-york', '2026-07-01', 1, 2, 0, null],
        ['prague', '2026-06-11', 2, 4, 1, 0.5],
        ['prague', '2026-06-12', 1, 2, 1, 0.25],
        ['prague', '2026-06-13', 1, 2, 1, 0.25],
      ],
    },
    {
      view: 'pick_up',
      sql: "SELECT night, changed_on, room_nights FROM pick_up WHERE property_id = 'prague' ORDER BY night, changed_on",
      rows: [
        ['2026-06-11', '2026-05-01', 3],
        ['2026-06-11', '2026-05-02', -1],
        ['2026-06-11', '2026-05-04', -1],
        ['2026-06-11', '2026-05-06', 1],
        ['2026-06-12', '2026-05-01', 2],
        ['2026-06-12', '2026-05-02', -1],
        ['2026-06-13', '2026-05-01', 1],
      ],
    },
    {
      view: 'pick_up between two dates',
      sql: "SELECT night, SUM(room_nights) AS picked_up FROM pick_up WHERE property_id = 'prague' AND changed_on > '2026-05-01' AND changed_on <= '2026-05-04' GROUP BY night ORDER BY night",
      rows: [
        ['2026-06-11', -2],
        ['2026-06-12', -1],
      ],
    },
    {
      view: 'on_the_books as of a date',
      sql: "SELECT night, room_nights FROM on_the_books WHERE property_id = 'prague' AND as_of <= '2026-05-05' AND (until IS NULL OR until > '2026-05-05') ORDER BY night",
      rows: [
        ['2026-06-11', 1],
        ['2026-06-12', 1],
        ['2026-06-13', 1],
      ],
    },
    {
      view: 'refusals',
      sql: 'SELECT body_fingerprint, status, tries FROM refusals ORDER BY body_fingerprint',
      rows: [
        ['aaaa', 422, 2],
        ['bbbb', 422, 1],
      ],
    },
  ];
