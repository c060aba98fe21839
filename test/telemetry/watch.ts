/** What the service says of itself, kept instead of written. */

import { env } from 'cloudflare:workers';
import { vi } from 'vitest';
import { BLOBS, DOUBLES } from '../../src/telemetry/data-point.ts';

/** A data point by its columns. */
export type Point = Readonly<Record<(typeof BLOBS)[number], string> & Record<(typeof DOUBLES)[number], number>>;

/** Keeps the data points from now on, until mocks are restored. */
export function watchPoints(): Point[] {
  const points: Point[] = [];
  vi.spyOn(env.METRICS, 'writeDataPoint').mockImplementation(({ blobs = [], doubles = [] } = {}) => {
    const texts = BLOBS.map((column, at) => [column, blobs[at]]);
    points.push(Object.fromEntries([...texts, ...DOUBLES.map((column, at) => [column, doubles[at]])]));
  });
  return points;
}

/** Keeps the log lines from now on, until mocks are restored. */
export function watchLog(): Record<string, unknown>[] {
  const lines: Record<string, unknown>[] = [];
  for (const method of ['log', 'error'] as const) {
    vi.spyOn(console, method).mockImplementation((line) => lines.push(line));
  }
  return lines;
}
