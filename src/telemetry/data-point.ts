/** Writes metrics to Workers Analytics Engine. Nothing waits for it, and nothing fails because of it. */

import { logError, runningVersion } from './log.ts';

/** The part of `AnalyticsEngineDataset` that is used here. */
export interface Dataset {
  writeDataPoint(point: { indexes: string[]; blobs: string[]; doubles: number[] }): void;
}

/** What happened, without any data about guests. Absent properties are written as empty or 0. */
export interface DataPoint {
  /** One request, messages of one batch, or one scheduled run. */
  readonly kind: 'request' | 'batch' | 'run';
  /**
   * Of a request, `accepted`, `checked`, `options` or the reason of a refusal; of messages, `landed`, `rejected`,
   * `dead_lettered` or `retried`; of a run, `done`, `more`, `busy`, `overtaken` or `failed`.
   */
  readonly outcome: string;
  /** The sender if known, the queue, or the job that ran: `publish`, `table`, `erase`. */
  readonly source?: string | undefined;
  readonly event_type?: string | undefined;
  /** The store that has the event, or the body of a refused one: `queue` or `r2`. */
  readonly stored_in?: string | undefined;
  /** Requests (1, or the events of a batch with this outcome), messages, or rows published or erased. */
  readonly count: number;
  /** In milliseconds of the platform's clock, which does not advance while the Worker computes. */
  readonly duration_ms: number;
  readonly status?: number;
  /**
   * In milliseconds: how long the oldest message of the batch has waited, how far the watermark of `events/` is behind
   * the run, or how long the oldest erasure has been unfinished. Absent when it is not known.
   */
  readonly age_ms?: number | undefined;
  /** Which of its tokens the sender presented, from 1. Absent when the token is not known. */
  readonly token?: number | undefined;
  /** Objects that a run published. */
  readonly objects?: number;
}

/** The columns `blob1`, `blob2` and so on. New ones go last, since queries refer to them by number. */
export const BLOBS = ['kind', 'outcome', 'source', 'event_type', 'stored_in', 'version'] as const;

export const DOUBLES = ['count', 'duration_ms', 'status', 'age_ms', 'token', 'objects'] as const;

/**
 * The sampling key, which counts when many points are written: each index keeps some of its points, so that a rarely
 * used token remains visible beside a busy one (Workers Analytics Engine, Sampling). At most 96 bytes.
 */
function indexOf({ source = '', token }: DataPoint): string {
  return token === undefined ? source : `${source}:${token}`;
}

/** Writes one data point. Does nothing without a dataset. */
export function writeDataPoint(dataset: Dataset | undefined, happening: DataPoint): void {
  if (dataset === undefined) return;
  const columns = { ...happening, version: runningVersion() };
  try {
    dataset.writeDataPoint({
      indexes: [indexOf(happening)],
      blobs: BLOBS.map((column) => columns[column] ?? ''),
      doubles: DOUBLES.map((column) => columns[column] ?? 0),
    });
  } catch (error) {
    logError('metrics_failed', error);
  }
}
