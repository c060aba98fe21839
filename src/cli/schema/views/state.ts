/** Views of events and of the resulting state. Pure. */

import { NO_ROOM } from '../../../contract/values.ts';
import { columnNames } from '../columns.ts';
import { type Dialect, happened, RESERVATION, type View } from '../dialect.ts';

/** The columns that identify and order events. */
const KEYS = `event_id, ${RESERVATION}, assigned_resource_number, occurred_at, received_at`;

const EVENTS: View = {
  name: 'distinct_events',
  answers:
    'Events without repeats: what has the same key, sender and content as an earlier event, then what equals the one before it.',
  // Windows run over a few columns; the others are looked up by event_id. Sorting whole rows took most of the time.
  select: ({ nullable, ...dialect }) => `\
WITH ${told(KEYS)},
neighbours AS (
  SELECT event_id, content, LAG(${nullable('content')}) OVER (
    PARTITION BY ${RESERVATION}, CASE WHEN reservation_id IS NULL THEN assigned_resource_number END
    ORDER BY ${happened(dialect)}, received_at, event_id
  ) AS content_before
  FROM told
)
SELECT ${columnNames('  ')}
FROM events
WHERE event_id IN (SELECT event_id FROM neighbours WHERE content_before IS NULL OR content_before <> content)`,
};

export const STATE: readonly View[] = [
  EVENTS,
  {
    name: 'latest_reservations',
    answers:
      'The current state: the latest event of each reservation by occurred_at, or by received_at where there is none or it is more than a day ahead of that; one row however many rooms it has.',
    select: (dialect) => `${latest(dialect, RESERVATION)}\nWHERE age = 1`,
  },
  {
    name: 'latest_reservation_rooms',
    answers: `The current state with rooms kept apart: the latest event of each reservation and room, ${NO_ROOM} only until a room is known. A room that a guest has left for another stays here.`,
    select: (dialect) => `\
${latest(dialect, `${RESERVATION}, assigned_resource_number`)}
WHERE age = 1 AND (assigned_resource_number <> '${NO_ROOM}'
  OR event_id IN (SELECT event_id FROM latest_reservations))`,
  },
];

/** Ranks the events of each key; the latest has age 1. Repeats need no special care: they give the same state. */
function latest({ latestFirst, ...dialect }: Dialect, key: string): string {
  return `\
WITH ${told(columnNames('    '))},
ranked AS (
  SELECT ${columnNames('    ')},
    ROW_NUMBER() OVER (PARTITION BY ${key} ORDER BY ${latestFirst(happened(dialect), 'event_id')}) AS age
  FROM told
  WHERE reservation_id IS NOT NULL
)
SELECT ${columnNames('  ')}
FROM ranked`;
}

/**
 * The CTE `told`: events without those that repeat the key, sender and content of an earlier one. Events without a key
 * cannot repeat one and skip the window.
 */
function told(columns: string): string {
  return `\
told AS (
  SELECT ${columns}, event_fingerprint AS content
  FROM events
  WHERE idempotency_key IS NULL
  UNION ALL
  SELECT ${columns}, event_fingerprint AS content
  FROM (
    SELECT e.*,
      ROW_NUMBER() OVER (PARTITION BY sender, idempotency_key, event_fingerprint ORDER BY event_id) AS attempt
    FROM events e
    WHERE idempotency_key IS NOT NULL
  ) attempts
  WHERE attempt = 1
)`;
}
