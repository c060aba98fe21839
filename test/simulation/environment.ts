/** What the platform gives an invocation, and the limits that the code of an isolate goes by. */

import type { Env } from '../../src/config.ts';
import { LIMITS } from '../../src/publish/limits.ts';
import { KEEP_DAYS, PSEUDONYM_KEY } from './guests.ts';
import type { Isolate } from './isolates.ts';
import { MINUTE_MS, type Profile } from './profile.ts';
import { UNSEEN_MS } from './queue-bindings.ts';
import type { Stage } from './stage.ts';
import type { Actor } from './world.ts';

/** The environment of a run of a cron. */
export function environmentOf(stage: Stage, actor: Actor): Env {
  const { world, profile, r2, queues, isOver, start } = stage;
  const hides = profile.hidesFromMs !== undefined && world.now >= start + profile.hidesFromMs;
  const isKeyless = !isOver() && world.random.chance(profile.keylessPercent);
  const env = {
    API_TOKEN: 'a token for the simulation and nothing else',
    BUCKET: r2.bucket(actor),
    BUCKET_NAME: 'bucket',
    EVENTS: queues.queue(actor, stage.queue),
    DEAD_LETTERS: queues.queue(actor, stage.deadLetters, UNSEEN_MS.deadLetters),
    REJECTED: queues.queue(actor, stage.rejectedQueue),
    REJECTED_DEAD_LETTERS: queues.queue(actor, stage.rejectedDeadLetters),
    GATHER: queues.queue(actor, stage.gatherQueue),
    LANDING_QUEUE: 'events',
    DEAD_LETTER_QUEUE: 'dead-letters',
    REJECTED_QUEUE: 'rejected',
    REJECTED_DEAD_LETTER_QUEUE: 'rejected-dead-letters',
    GATHER_QUEUE: 'gather',
    PUBLISH_CRON: 'publish',
    TABLE_CRON: 'table',
    PUBLISH_AFTER_MINUTES: '5',
    TABLE_GUEST_COLUMNS: hides ? 'left_out' : 'kept',
    KEEP_GUEST_COLUMNS_DAYS: profile.expires ? String(KEEP_DAYS) : '',
    ...(profile.alarms && { ALERT_WEBHOOK: 'https://alarms.example/' }),
    ...(!isKeyless && { PSEUDONYM_KEY }),
  };
  // The models have what our code uses of bindings, and nothing else; what it does not use fails in the simulation.
  return env as unknown as Env;
}

/** Few of everything, so that every limit is reached. */
const SMALL = {
  partSources: 5,
  partSourceBytes: 4_000,
  partBytes: 1_500,
  runSourceBytes: 8_000,
  runSources: 8,
  hoursAtOnce: LIMITS.hoursAtOnce,
  deleteKeys: 2,
  readsAhead: 2,
  gatherSources: 3,
  gatherLeast: Number.POSITIVE_INFINITY,
  gatherBytes: 2_000,
  gatherSourceBytes: 1_500,
  gatherObjects: 20,
  requestsAtOnce: 2,
};

/** So little that much is gathered. */
const GATHERING = { ...SMALL, runSources: 2, gatherLeast: 1 };

/** Those of another version: it takes up what the one has begun, and the other way round. */
const OTHER = { ...SMALL, partSources: 3, partBytes: 700, hoursAtOnce: 1, deleteKeys: 1 };

const SMALL_ERASE = { partsAtOnce: 2, runParts: 3, runBytes: 20_000, searchWeight: 1 };

/** Few of everything, and all times short: but a run is over when an attempt counts as given up, whatever clocks say. */
const SMALL_TABLE = {
  fileBytes: 700,
  fileRows: 12,
  fileRanges: 3,
  groupRows: 3,
  runRows: 12,
  stepRows: 6,
  stepParts: 4,
  logEntries: 6,
  manifestEntries: 3,
  manifestsMerged: 2,
  tidyMs: 10 * MINUTE_MS,
  snapshotMs: 40 * MINUTE_MS,
  snapshots: 3,
  erasedMs: 30 * MINUTE_MS,
  versions: 6,
  versionMs: 30 * MINUTE_MS,
};

/** Has the code of the isolates reach its limits. */
export function limit(isolates: readonly Isolate[], { gathers, otherPublisher }: Profile): void {
  for (const code of isolates) {
    const isOther = otherPublisher && code === isolates.at(-1);
    Object.assign(code.LIMITS, isOther ? OTHER : gathers ? GATHERING : SMALL);
    Object.assign(code.ERASE_LIMITS, SMALL_ERASE);
    Object.assign(code.TABLE_LIMITS, SMALL_TABLE);
  }
}
