/** A dashboard for Grafana, from the queries of docs/operating.md. Pure. */

import { QUERIES } from './queries.ts';

/** The data source that Cloudflare names for Analytics Engine (Workers Analytics Engine, Querying from Grafana). */
// biome-ignore lint/suspicious/noTemplateCurlyInString: it is Grafana's own placeholder.
const DATA_SOURCE = { type: 'vertamedia-clickhouse-datasource', uid: '${datasource}' };

/** Grafana's grid is 24 wide. */
const COLUMNS = 2;
const WIDTH = 24 / COLUMNS;
const HEIGHT = 9;

/** The dashboard of an environment, as Grafana imports it. */
export function dashboard(env: string): object {
  return {
    title: `Reservation events, ${env} (counts are estimates)`,
    uid: `reservation-events-${env}`.slice(0, 40),
    schemaVersion: 39,
    refresh: '1m',
    // The queries name their own periods.
    timepicker: { hidden: true },
    templating: {
      list: [{ name: 'datasource', label: 'Data source', type: 'datasource', query: DATA_SOURCE.type }],
    },
    panels: QUERIES.map(({ title, sql }, at) => ({
      id: at + 1,
      type: 'table',
      title,
      datasource: DATA_SOURCE,
      gridPos: { x: (at % COLUMNS) * WIDTH, y: Math.floor(at / COLUMNS) * HEIGHT, w: WIDTH, h: HEIGHT },
      targets: [{ refId: 'A', datasource: DATA_SOURCE, editorMode: 'sql', format: 'table', query: queryOf(sql, env) }],
    })),
  };
}

/** The names of wrangler.toml: `reservation-events-ENV`, and with underscores for the dataset. */
function queryOf(sql: string, env: string): string {
  return sql
    .replaceAll('reservation_events_production', `reservation_events_${env.replaceAll('-', '_')}`)
    .replaceAll('reservation-events-production', `reservation-events-${env}`);
}
