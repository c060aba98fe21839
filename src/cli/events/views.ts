/** The views that `npm run events -- sql` has ready. Pure. */

import type { TimeRange } from '../list-hours.ts';
import { readRows, tableDefinition } from '../schema/duckdb.ts';

/**
 * Statements that make the views.
 *
 * @param files - Paths of NDJSON, compressed or not, that hold each event once.
 */
export function createViews(files: readonly string[], range: TimeRange): readonly string[] {
  return [
    // DuckDB cannot read no files at all.
    files.length === 0 ? tableDefinition() : `CREATE VIEW events AS ${selectRange(files, range)}`,
    // In the order of receipt, since what a PMS sends says nothing about order. Without reservation_id there is no
    // reservation to be in a state.
    `CREATE VIEW latest_reservations AS
     SELECT * FROM events WHERE reservation_id IS NOT NULL
     QUALIFY row_number() OVER (PARTITION BY integration_id, property_id, reservation_id ORDER BY event_id DESC) = 1`,
    // A repeat has the content of the event right before it, of the same reservation, or of the same room where no
    // reservation is named. A → B → A has three different neighbours and stays; the same content under the same key of
    // the sender is a repeat wherever it stands.
    `CREATE VIEW distinct_events AS
     SELECT * FROM events
     QUALIFY event_fingerprint IS DISTINCT FROM lag(event_fingerprint) OVER (
         PARTITION BY integration_id, property_id, reservation_id,
                      CASE WHEN reservation_id IS NULL THEN assigned_resource_number END
         ORDER BY event_id)
       AND (idempotency_key IS NULL OR row_number() OVER (
         PARTITION BY sender, idempotency_key, event_fingerprint ORDER BY event_id) = 1)`,
  ];
}

function selectRange(files: readonly string[], { from, to }: TimeRange): string {
  const list = `[${files.map((file) => `'${file.replaceAll("'", "''")}'`).join(', ')}]`;
  const conditions = [
    ...(from === undefined ? [] : [`received_at >= '${from.toISOString()}'`]),
    ...(to === undefined ? [] : [`received_at < '${to.toISOString()}'`]),
  ];
  return `SELECT * FROM ${readRows(list)} WHERE ${conditions.join(' AND ') || 'true'}`;
}
