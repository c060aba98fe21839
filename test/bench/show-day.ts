/** A simulated day as a table, landed and published side by side. */

import { formatTable } from '../../src/cli/table.ts';
import type { DayResult } from './simulation.ts';

/** Prints it. */
export function showDay(day: DayResult): void {
  const { rows, lines, landing, events, publishSeconds, publishRuns, gzipBytesPerSecond, peakBytes } = day;
  const figures = {
    rows: { landing: lines, events: events.rows },
    objects: { landing: landing.objects, events: events.objects },
    MB: { landing: megabytes(landing.bytes), events: megabytes(events.bytes) },
    'copying the day, s': { landing: landing.copySeconds.toFixed(1), events: events.copySeconds.toFixed(1) },
    'DuckDB, s for the day': { landing: landing.querySeconds.toFixed(2), events: events.querySeconds.toFixed(2) },
    'copying and DuckDB, landing × events': {
      landing: times(landing.copySeconds + landing.querySeconds, events.copySeconds + events.querySeconds),
      events: 1,
    },
    'publisher, rows/s': { landing: '', events: Math.round(rows / publishSeconds) },
    'publisher, MB/s read': { landing: '', events: Math.round(landing.bytes / 1e6 / publishSeconds) },
    'gzip alone, MB/s': { landing: '', events: megabytes(gzipBytesPerSecond) },
    'publisher, peak MB of memory': { landing: '', events: megabytes(peakBytes) },
    'publisher, runs': { landing: '', events: publishRuns },
  };
  console.log(formatTable(Object.entries(figures).map(([figure, values]) => ({ figure, ...values }))));
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 1e6);
}

function times(one: number, other: number): number {
  return Math.round((one / other) * 10) / 10;
}
