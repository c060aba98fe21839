/**
 * Counting what happens, in Workers Analytics Engine. Nothing ever waits for it, and nothing fails because of it.
 */

import { logError } from './log.ts';

/** The one call of a dataset; an AnalyticsEngineDataset is one. */
export interface Dataset {
  writeDataPoint(point: { indexes: string[]; blobs: string[]; doubles: number[] }): void;
}

/** What happened. It holds nothing of a guest. */
export interface DataPoint {
  /** One request, or messages of one batch. */
  readonly kind: 'request' | 'batch';
  /** `accepted`, `checked`, `options` or the reason of a refusal; of messages `landed`, `rejected`, `dead_lettered` or `retried`. */
  readonly outcome: string;
  /** The sender when it is known, or the queue. Data points are sampled by it. */
  readonly source: string;
  readonly event_type: string;
  /** The store that has the event, or the body of a refused one: `queue` or `r2`. */
  readonly path: string;
  /** Requests, always 1, or messages. */
  readonly count: number;
  /** How long it took, in milliseconds of the platform's clock, which stands still while the Worker computes. */
  readonly duration_ms: number;
  /** The status of the answer; 0 for a batch. */
  readonly status: number;
  /** How long the oldest message of the batch had waited, in milliseconds; 0 for a request. */
  readonly age_ms: number;
  /** Which of its tokens the sender presented, from 1; 0 when none is known, and for a batch. */
  readonly token: number;
}

/** The columns `blob1`, `blob2` and so on. New ones come last, since queries name them by their number. */
export const BLOBS = ['kind', 'outcome', 'source', 'event_type', 'path'] as const;

/** The columns `double1`, `double2` and so on. */
export const DOUBLES = ['count', 'duration_ms', 'status', 'age_ms', 'token'] as const;

/** Writes one data point; a missing dataset takes none. */
export function writeDataPoint(dataset: Dataset | undefined, happening: DataPoint): void {
  try {
    dataset?.writeDataPoint({
      indexes: [happening.source],
      blobs: BLOBS.map((column) => happening[column]),
      doubles: DOUBLES.map((column) => happening[column]),
    });
  } catch (error) {
    logError('metrics_failed', error);
  }
}
