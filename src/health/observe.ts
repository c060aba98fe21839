/** Observes the state of the service: the backlog of the queues, and the records that the publisher leaves in R2. */

import type { Config } from '../config.ts';
import { answerOf } from '../http/with-timeout.ts';
import { LANDING_PARTITIONS, LAST_RUN_KEY, LOG_PREFIX, WATERMARK_KEY } from '../storage/keys.ts';
import { type LastRun, LastRunSchema } from '../storage/last-run.ts';
import { readState, UnreadableState } from '../storage/state.ts';
import { TABLE_RUN_KEY, type TableRun, TableRunSchema } from '../storage/table-run.ts';
import { type Watermark, WatermarkSchema } from '../storage/watermark.ts';
import { logError } from '../telemetry/log.ts';

export interface Backlog {
  readonly count: number;
  readonly bytes: number;
  /** When the oldest message was sent. Undefined when the queue does not report it. */
  readonly oldest: Date | undefined;
}

/** The records that the publisher leaves in R2. Null where there is none yet. */
export interface Publisher {
  readonly lastRun: LastRun | null;
  readonly watermark: Watermark | null;
  /** When the first object of `landing/` was written. */
  readonly landed: Date | null;
  readonly table: TableState;
  /** The keys of records that cannot be read, since something else wrote them. */
  readonly unreadable: readonly string[];
}

interface TableState {
  readonly lastRun: TableRun | null;
  /** When the first part was published, if the table was never written. Null otherwise. */
  readonly waiting: Date | null;
}

const QUEUES = ['events', 'deadLetters', 'rejected', 'rejectedDeadLetters'] as const;

/** The state of the service. Undefined stands for what did not answer in time. */
export interface Observed {
  readonly queues: Readonly<Record<(typeof QUEUES)[number], Backlog | undefined>>;
  readonly publisher: Publisher | undefined;
}

export interface Observable extends Readonly<Record<(typeof QUEUES)[number], Pick<Queue, 'metrics'>>> {
  readonly bucket: Pick<Config['bucket'], 'get' | 'list'>;
}

/** How long a store may take to answer, in milliseconds: uptime monitors give up after some seconds. */
export const ANSWER_TIMEOUT_MS = 2_000;

/** Asks all stores at once. Does not throw. */
export async function observe({ bucket, ...config }: Observable): Promise<Observed> {
  const [publisher, ...backlogs] = await Promise.all([
    answerOf('bucket_unreachable', () => readPublisher(bucket), ANSWER_TIMEOUT_MS),
    ...QUEUES.map((queue) =>
      answerOf('queue_unreachable', () => readBacklog(config[queue]), ANSWER_TIMEOUT_MS, { queue }),
    ),
  ]);
  const [events, deadLetters, rejected, rejectedDeadLetters] = backlogs;
  return { queues: { events, deadLetters, rejected, rejectedDeadLetters }, publisher };
}

async function readBacklog(queue: Pick<Queue, 'metrics'>): Promise<Backlog> {
  const { backlogCount: count, backlogBytes: bytes, oldestMessageTimestamp } = await queue.metrics();
  // A queue that does not know the time may report 0.
  const sent = Number(oldestMessageTimestamp ?? 0);
  return { count, bytes, oldest: sent > 0 ? new Date(sent) : undefined };
}

async function readPublisher(bucket: Observable['bucket']): Promise<Publisher> {
  const unreadable: string[] = [];
  const noteUnreadable = (error: unknown) => {
    if (!(error instanceof UnreadableState)) throw error;
    logError('state_unreadable', error);
    unreadable.push(error.key);
    return { value: undefined };
  };
  const [lastRun, watermark, { objects }, tableRun] = await Promise.all([
    readState(bucket, LAST_RUN_KEY, LastRunSchema).catch(noteUnreadable),
    readState(bucket, WATERMARK_KEY, WatermarkSchema).catch(noteUnreadable),
    bucket.list({ prefix: LANDING_PARTITIONS, limit: 1 }),
    readState(bucket, TABLE_RUN_KEY, TableRunSchema).catch(noteUnreadable),
  ]);
  const [first] = objects;
  return {
    lastRun: lastRun.value ?? null,
    watermark: watermark.value ?? null,
    landed: first?.uploaded ?? null,
    table: {
      lastRun: tableRun.value ?? null,
      waiting: tableRun.value === undefined ? await firstPublished(bucket) : null,
    },
    unreadable,
  };
}

async function firstPublished(bucket: Observable['bucket']): Promise<Date | null> {
  const { objects } = await bucket.list({ prefix: LOG_PREFIX, limit: 1 });
  return objects[0]?.uploaded ?? null;
}
