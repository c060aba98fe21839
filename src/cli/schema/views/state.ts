/** Views of events and of the state they lead to. Pure. */

import { columnNames } from '../columns.ts';
import { HAPPENED, LATEST_FIRST, type View } from './view.ts';

/** A reservation is known by its id within a hotel within a connection. */
const RESERVATION = 'integration_id, property_id, reservation_id';

const EVENTS: View = {
  name: 'distinct_events',
  answers:
    'Events without repeats: what has the same key, sender and content as an earlier event, then what equals the one before it.',
  select: ({ schema, nullable }) => `\
WITH contents AS (
  -- The fingerprint of version 1 leaves extra out.
  SELECT ${columnNames('    ')},
    CONCAT(event_fingerprint, COALESCE(CASE WHEN schema_version = 1 THEN extra END, '')) AS content
  FROM ${schema}events
),
attempts AS (
  SELECT contents.*, ROW_NUMBER() OVER (PARTITION BY sender, idempotency_key, content ORDER BY event_id) AS attempt
  FROM contents
),
neighbours AS (
  SELECT attempts.*, LAG(${nullable('content')}) OVER (
    PARTITION BY ${RESERVATION}, CASE WHEN reservation_id IS NULL THEN assigned_resource_number END
    ORDER BY ${HAPPENED}, received_at, event_id
  ) AS content_before
  FROM attempts
  WHERE idempotency_key IS NULL OR attempt = 1
)
SELECT ${columnNames('  ')}
FROM neighbours
WHERE content_before IS NULL OR content_before <> content`,
};

export const STATE: readonly View[] = [
  EVENTS,
  latest(
    'latest_reservations',
    'The current state: the latest event of each reservation, one row however many rooms it has.',
    RESERVATION,
  ),
  latest(
    'latest_reservation_rooms',
    'The current state with rooms kept apart: the latest event of each reservation and room. A room that a guest has left for another stays here.',
    `${RESERVATION}, assigned_resource_number`,
  ),
];

function latest(name: string, answers: string, key: string): View {
  return {
    name,
    answers,
    select: ({ schema }) => `\
WITH ranked AS (
  SELECT ${columnNames('    ')},
    ROW_NUMBER() OVER (PARTITION BY ${key} ORDER BY ${LATEST_FIRST}) AS age
  FROM ${schema}distinct_events
  WHERE reservation_id IS NOT NULL
)
SELECT ${columnNames('  ')}
FROM ranked
WHERE age = 1`,
  };
}
