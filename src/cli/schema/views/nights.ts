/** Views by night. Pure. */

import type { View } from '../dialect.ts';
import { ON_THE_BOOKS, STAY } from './stays.ts';

/** Three years: an open-ended stay must not expand into a million nights. */
const MAX_NIGHTS = 1096;

const NIGHTS = `CASE WHEN departure IS NULL OR nights > ${MAX_NIGHTS} THEN ${MAX_NIGHTS} ELSE COALESCE(nights, 0) END`;

export const BY_NIGHT: readonly View[] = [
  {
    name: 'room_nights',
    answers: `One row for each night of each stay on the books, by the hotel's calendar; of longer and open-ended stays the first ${MAX_NIGHTS} nights.`,
    select: ({ addDays, countUp, counter }) => `\
WITH booked AS (
  SELECT ${STAY}, reservation_state, arrival, assigned_resource_number, room_type_id, rate_id, adult_counts, child_counts,
    ${NIGHTS} AS counted_nights
  FROM stays
  WHERE reservation_state IN ${ON_THE_BOOKS}
)
SELECT ${STAY}, ${addDays('arrival', counter)} AS night, reservation_state,
  assigned_resource_number, room_type_id, rate_id, adult_counts, child_counts
FROM booked ${countUp('counted_nights')}`,
  },
  {
    name: 'occupancy',
    answers:
      'Rooms and guests by night, and the share of the rooms of the hotel where properties says how many it has.',
    select: () => `\
SELECT n.integration_id, n.property_id, n.night, COUNT(*) AS occupied_rooms,
  SUM(COALESCE(n.adult_counts, 0)) AS adults, SUM(COALESCE(n.child_counts, 0)) AS children,
  COUNT(*) * 1e0 / NULLIF(MAX(p.rooms), 0) AS occupancy
FROM room_nights n
LEFT JOIN properties p ON p.integration_id = n.integration_id AND p.property_id = n.property_id
GROUP BY n.integration_id, n.property_id, n.night`,
  },
  {
    name: 'pick_up',
    answers:
      'By how many room nights each night grew or shrank on each day. Between two dates: sum room_nights where changed_on is after the first and up to the second.',
    select: ({ addDays, countUp, counter }) => `\
WITH booked AS (
  SELECT integration_id, property_id, arrival, changed_on, replaced_on, ${NIGHTS} AS counted_nights
  FROM stay_versions
  WHERE reservation_state IN ${ON_THE_BOOKS}
),
spans AS (
  SELECT integration_id, property_id, ${addDays('arrival', counter)} AS night, changed_on, replaced_on
  FROM booked ${countUp('counted_nights')}
),
changes AS (
  SELECT integration_id, property_id, night, changed_on, 1 AS change FROM spans
  UNION ALL
  SELECT integration_id, property_id, night, replaced_on AS changed_on, -1 AS change
  FROM spans WHERE replaced_on IS NOT NULL
)
SELECT integration_id, property_id, night, changed_on, SUM(change) AS room_nights
FROM changes
GROUP BY integration_id, property_id, night, changed_on
HAVING SUM(change) <> 0`,
  },
  {
    name: 'on_the_books',
    answers:
      'Room nights on the books at the end of a day, each row for the days from as_of until the day before until. As of a date: as_of <= date AND (until IS NULL OR until > date).',
    select: ({ nullable }) => `\
SELECT integration_id, property_id, night, changed_on AS as_of,
  LEAD(${nullable('changed_on')}) OVER (PARTITION BY integration_id, property_id, night ORDER BY changed_on) AS until,
  SUM(p.room_nights) OVER (
    PARTITION BY integration_id, property_id, night ORDER BY changed_on ROWS UNBOUNDED PRECEDING
  ) AS room_nights
FROM pick_up p`,
  },
];
