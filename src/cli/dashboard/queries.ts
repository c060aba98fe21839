/** What is asked of Analytics Engine, for docs/operating.md and for the dashboard. Pure. */

/** A query, of production. */
export interface Query {
  readonly title: string;
  readonly sql: string;
}

/** The queries in the order of docs/operating.md, which a test compares. */
export const QUERIES: readonly Query[] = [
  {
    title: 'What became of the events of the last day',
    sql: `SELECT
  SUM(IF(blob2 = 'accepted' AND blob5 = 'queue', _sample_interval * double1, 0)) AS accepted,
  SUM(IF(blob2 = 'accepted' AND blob5 = 'r2', _sample_interval * double1, 0)) AS accepted_into_r2,
  SUM(IF(blob2 = 'landed', _sample_interval * double1, 0)) AS landed,
  SUM(IF(blob2 = 'dead_lettered', _sample_interval * double1, 0)) AS dead_lettered
FROM reservation_events_production
WHERE timestamp > NOW() - INTERVAL '1' DAY
  AND (blob1 = 'request' OR blob3 IN ('reservation-events-production', 'reservation-events-production-dead-letter'))`,
  },
  {
    title: 'Outcomes by sender in the last hour',
    sql: `SELECT blob3 AS sender, blob2 AS outcome, SUM(_sample_interval * double1) AS requests
FROM reservation_events_production
WHERE timestamp > NOW() - INTERVAL '1' HOUR AND blob1 = 'request'
GROUP BY sender, outcome
ORDER BY requests DESC`,
  },
  {
    title: 'Latency of answers, and how long events wait before they land',
    sql: `SELECT blob1 AS kind,
  quantileExactWeighted(0.5)(double2, _sample_interval) AS median_ms,
  quantileExactWeighted(0.99)(double2, _sample_interval) AS p99_ms,
  MAX(double4) AS oldest_ms
FROM reservation_events_production
WHERE timestamp > NOW() - INTERVAL '15' MINUTE
GROUP BY kind`,
  },
  {
    title: 'Tokens in use in the last day, to check before an old one is revoked',
    sql: `SELECT blob3 AS sender, double5 AS token, SUM(_sample_interval * double1) AS requests, MAX(timestamp) AS last_used
FROM reservation_events_production
WHERE timestamp > NOW() - INTERVAL '1' DAY AND double5 > 0
GROUP BY sender, token
ORDER BY sender, token`,
  },
  {
    title: 'The counts behind the alerts below',
    sql: `SELECT
  SUM(IF(double3 >= 500, _sample_interval * double1, 0)) AS unavailable,
  SUM(IF(blob2 = 'accepted' AND blob5 = 'r2', _sample_interval * double1, 0)) AS accepted_into_r2,
  SUM(IF(blob2 = 'retried', _sample_interval * double1, 0)) AS retried,
  SUM(IF(blob2 = 'dead_lettered', _sample_interval * double1, 0)) AS dead_lettered,
  SUM(IF(blob2 = 'forbidden_integration', _sample_interval * double1, 0)) AS forbidden,
  SUM(IF(blob2 = 'too_many_requests', _sample_interval * double1, 0)) AS limited,
  SUM(IF(blob2 = 'too_many_wrong_tokens', _sample_interval * double1, 0)) AS guessed
FROM reservation_events_production
WHERE timestamp > NOW() - INTERVAL '15' MINUTE`,
  },
  {
    title: 'Runs of the publisher in the last hour, and how old what they published is',
    sql: `SELECT blob2 AS outcome, blob6 AS version, SUM(_sample_interval) AS runs,
  SUM(_sample_interval * double1) AS published_rows,
  SUM(_sample_interval * double6) AS objects,
  MAX(double2) AS longest_ms,
  MAX(double4) AS lag_ms
FROM reservation_events_production
WHERE timestamp > NOW() - INTERVAL '1' HOUR AND blob1 = 'run'
GROUP BY outcome, version`,
  },
];
