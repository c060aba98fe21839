/** Views of stays: reservations in hotel time, with their history. Pure. */

import { NO_ROOM } from '../../../contract/values.ts';
import { happened, RESERVATION, type View } from '../dialect.ts';

/** Identifies a stay: a reservation, or one of its rooms if the hotel keeps rooms apart. */
export const STAY = `${RESERVATION}, room`;

/** States that occupy a room. Enquired, Requested and Optional are no commitment yet. */
export const ON_THE_BOOKS = `('Confirmed', 'Started', 'Processed')`;

/** An end from this time on means that the end is unknown; some systems send 9999. */
const OPEN_END = '2200-01-01T00:00:00Z';

/** States in the order in which a stay goes through them. Going back is unusual and has a view of its own. */
const RANKS = ['Enquired', 'Requested', 'Optional', 'Confirmed', 'Started', 'Processed', 'Canceled'];

const rankOf = (state: string) =>
  `CASE ${state} ${RANKS.map((name, rank) => `WHEN '${name}' THEN ${rank}`).join(' ')} END`;

export const STAYS: readonly View[] = [
  {
    name: 'stay_versions',
    answers: `What was known of a stay, and from when until when. Dates are of the hotel; an open end (from 2200) leaves departure and nights null, and a departure before the arrival the nights. Where rooms are kept apart, ${NO_ROOM} lasts until the next event of the reservation.`,
    select: ({ nullable, timestamp, localDate, daysBetween, ...dialect }) => `\
WITH placed AS (
  SELECT e.integration_id, e.property_id, e.reservation_id,
    CASE WHEN p.rooms_apart THEN e.assigned_resource_number ELSE '' END AS room,
    COALESCE(NULLIF(p.time_zone, ''), 'UTC') AS time_zone,
    e.event_id, e.received_at, ${happened(dialect)} AS changed_at, e.reservation_state,
    e.start_utc, e.end_utc, e.assigned_resource_number, e.room_type_id, e.rate_id, e.adult_counts, e.child_counts
  FROM distinct_events e
  LEFT JOIN properties p ON p.integration_id = e.integration_id AND p.property_id = e.property_id
  WHERE e.reservation_id IS NOT NULL AND e.start_utc < ${timestamp(OPEN_END)}
),
neighbours AS (
  SELECT placed.*,
    LEAD(${nullable('changed_at')}) OVER (PARTITION BY ${STAY} ORDER BY changed_at, received_at, event_id) AS stay_replaced_at,
    LAG(${nullable('reservation_state')}) OVER (PARTITION BY ${STAY} ORDER BY changed_at, received_at, event_id) AS stay_previous_state,
    LEAD(${nullable('changed_at')}) OVER (PARTITION BY ${RESERVATION} ORDER BY changed_at, received_at, event_id) AS next_at,
    LAG(${nullable('reservation_state')}) OVER (PARTITION BY ${RESERVATION} ORDER BY changed_at, received_at, event_id) AS state_before,
    LAG(${nullable('room')}) OVER (PARTITION BY ${RESERVATION} ORDER BY changed_at, received_at, event_id) AS room_before
  FROM placed
),
ordered AS (
  -- What was known without a room goes on in the first room that is assigned.
  SELECT neighbours.*,
    CASE WHEN room = '${NO_ROOM}' THEN next_at ELSE stay_replaced_at END AS replaced_at,
    CASE WHEN stay_previous_state IS NULL AND room_before = '${NO_ROOM}' THEN state_before ELSE stay_previous_state END AS previous_state
  FROM neighbours
),
dated AS (
  SELECT ordered.*,
    ${localDate('changed_at', 'time_zone')} AS changed_on,
    ${localDate('replaced_at', 'time_zone')} AS replaced_on,
    ${localDate('start_utc', 'time_zone')} AS arrival,
    CASE WHEN end_utc < ${timestamp(OPEN_END)} THEN ${localDate('end_utc', 'time_zone')} END AS departure
  FROM ordered
)
SELECT integration_id, property_id, reservation_id, room, time_zone, event_id, changed_at, changed_on, replaced_at, replaced_on,
  reservation_state, previous_state, arrival, departure, CASE WHEN departure >= arrival THEN ${daysBetween('arrival', 'departure')} END AS nights,
  assigned_resource_number, room_type_id, rate_id, adult_counts, child_counts
FROM dated`,
  },
  {
    name: 'stays',
    answers: 'Each stay as it is now.',
    select: () => `SELECT * FROM stay_versions WHERE replaced_at IS NULL`,
  },
  {
    name: 'length_of_stay',
    answers:
      'How many nights each stay on the books has; null while its end is open and where the departure is before the arrival, 0 for a stay within a day.',
    select: () => `\
SELECT ${STAY}, reservation_state, arrival, departure, nights
FROM stays
WHERE reservation_state IN ${ON_THE_BOOKS}`,
  },
  {
    name: 'moved_backwards',
    answers: 'Changes to an earlier state, such as Processed to Started or Canceled to Confirmed: to be looked at.',
    select: () => `\
SELECT ${STAY}, event_id, changed_at, previous_state, reservation_state
FROM stay_versions
WHERE ${rankOf('reservation_state')} < ${rankOf('previous_state')}`,
  },
  {
    name: 'cancellations',
    answers:
      'Stays that are canceled, since when, and how many days before arrival; the days are negative after it. Reinstated ones are not among them.',
    select: ({ daysBetween }) => `\
SELECT s.integration_id, s.property_id, s.reservation_id, s.room, c.canceled_at, c.canceled_on, s.arrival, s.nights,
  ${daysBetween('c.canceled_on', 's.arrival')} AS lead_days
FROM stays s
JOIN (
  -- A canceled stay can change and stay canceled.
  SELECT ${STAY}, MAX(changed_at) AS canceled_at, MAX(changed_on) AS canceled_on
  FROM stay_versions
  WHERE reservation_state = 'Canceled' AND COALESCE(previous_state, '') <> 'Canceled'
  GROUP BY ${STAY}
) c ON c.integration_id = s.integration_id AND c.property_id = s.property_id
  AND c.reservation_id = s.reservation_id AND c.room = s.room
WHERE s.reservation_state = 'Canceled'`,
  },
  {
    name: 'no_show_candidates',
    answers:
      'Guests who may not have come: stays that are still Confirmed although their day of arrival was over when the last event of their hotel came, and stays that went from Confirmed to Canceled on the day of arrival or later.',
    select: ({ localDate }) => `\
-- ClickHouse keeps the s. in a name after two joins.
SELECT s.integration_id AS integration_id, s.property_id AS property_id, s.reservation_id AS reservation_id, s.room AS room,
  s.reservation_state AS reservation_state, s.arrival AS arrival, s.departure AS departure, s.nights AS nights,
  s.assigned_resource_number AS assigned_resource_number, ${localDate('h.last_received_at', 's.time_zone')} AS known_through
FROM stays s
JOIN (
  SELECT integration_id, property_id, MAX(received_at) AS last_received_at
  FROM events
  GROUP BY integration_id, property_id
) h ON h.integration_id = s.integration_id AND h.property_id = s.property_id
LEFT JOIN (
  SELECT ${STAY}, MAX(changed_on) AS canceled_on, 1 AS was_booked
  FROM stay_versions
  WHERE reservation_state = 'Canceled' AND previous_state = 'Confirmed'
  GROUP BY ${STAY}
) c ON c.integration_id = s.integration_id AND c.property_id = s.property_id
  AND c.reservation_id = s.reservation_id AND c.room = s.room
WHERE (s.reservation_state = 'Confirmed' AND s.arrival < ${localDate('h.last_received_at', 's.time_zone')})
  OR (s.reservation_state = 'Canceled' AND c.was_booked = 1 AND c.canceled_on >= s.arrival)`,
  },
];
