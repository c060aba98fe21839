/**
 * Counting what happens, in Workers Analytics Engine. Nothing ever waits for it, and nothing fails because of it.
 */

import { logError, runningVersion } from './log.ts';

/** The one call of a dataset; an AnalyticsEngineDataset is one. */
export interface Dataset {
  writeDataPoint(point: { indexes: string[]; blobs: string[]; doubles: number[] }): void;
}

/** What happened. It holds nothing of a guest. What is absent is empty or 0. */
export interface DataPoint {
  /** One request, messages of one batch, or one run of the clock. */
  readonly kind: 'request' | 'batch' | 'run';
  /**
   * `accepted`, `checked`, `options` or the reason of a refusal; of messages `landed`, `rejected`, `dead_lettered` or
   * `retried`; of a run `done`, `more`, `busy`, `overtaken` or `failed`.
   */
  readonly outcome: string;
  /** The sender when it is known, the queue, or what ran: `publish`, `table`, `erase`. */
  readonly source: string;
  readonly event_type?: string;
  /** The store that has the event, or the body of a refused one: `queue` or `r2`. */
  readonly stored_in?: string;
  /** Requests, always 1, messages, or rows published or erased. */
  readonly count: number;
  /** How long it took, in milliseconds of the platform's clock, which stands still while the Worker computes. */
  readonly duration_ms: number;
  readonly status?: number;
  /**
   * In milliseconds: how long the oldest message of the batch had waited, or how far behind the time of the run `events/`
   * is complete, or how long the oldest erasure has not been finished; absent when it is not known.
   */
  readonly age_ms?: number;
  /** Which of its tokens the sender presented, from 1; absent when none is known. */
  readonly token?: number;
  /** Objects that a run has published. */
  readonly objects?: number;
}

/** The columns `blob1`, `blob2` and so on. New ones come last, since queries name them by their number. */
export const BLOBS = ['kind', 'outcome', 'source', 'event_type', 'stored_in', 'version'] as const;

export const DOUBLES = ['count', 'duration_ms', 'status', 'age_ms', 'token', 'objects'] as const;

const NOTHING = { event_type: '', stored_in: '', status: 0, age_ms: 0, token: 0, objects: 0 } as const;

/**
 * What points are sampled by when many are written: each index keeps some of its own, so that a token that is seldom used is
 * seen beside one that is used all the time (Workers Analytics Engine, Sampling). At most 96 bytes.
 */
function indexOf({ source, token = 0 }: DataPoint): string {
  return token === 0 ? source : `${source}:${token}`;
}

/** Writes one data point; a missing dataset takes none. */
export function writeDataPoint(dataset: Dataset | undefined, happening: DataPoint): void {
  if (dataset === undefined) return;
  const columns = { ...NOTHING, ...happening, version: runningVersion() };
  try {
    dataset.writeDataPoint({
      indexes: [indexOf(happening)],
      blobs: BLOBS.map((column) => columns[column]),
      doubles: DOUBLES.map((column) => columns[column]),
    });
  } catch (error) {
    logError('metrics_failed', error);
  }
}
