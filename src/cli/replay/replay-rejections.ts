/** Refused bodies, sent once more to the endpoint that refused them. */

import * as v from 'valibot';
import { partitionOf, REPLAYED } from '../../storage/keys.ts';
import { type Rejection, RejectionSchema } from '../../storage/rejection.ts';
import type { ObjectStore } from '../object-store.ts';
import type { Post } from './post.ts';
import type { Tally } from './tally.ts';

/** What the keys of refused bodies begin with. */
const REJECTED = 'rejected/';

const RejectionLine = v.pipe(v.string(), v.parseJson(), RejectionSchema);

/** How refused bodies are replayed. */
export interface RejectionReplay {
  readonly replayed: Replayed;
  readonly tally: Tally;
  /** Sends; when it is absent, nothing is sent and what would be is told. */
  readonly post: Post | undefined;
  /** Only bodies of this sender; of every sender when it is absent. */
  readonly sender?: string | undefined;
  /** Ends the replay, between two bodies. */
  readonly signal: AbortSignal;
}

/**
 * Replays the bodies of one object of `rejected/`, in order. A body that a sender tried again within an hour is sent
 * once. Each is checked first, which stores nothing, and sent only if it would be taken: what is still refused stays
 * where it is, is not kept a second time, and can be replayed after the next fix.
 */
export async function replayRejections(store: ObjectStore, key: string, replay: RejectionReplay): Promise<void> {
  const bytes = await store.get(key);
  // It expired since it was listed.
  if (bytes === undefined) return;
  for (const text of new TextDecoder().decode(bytes).split('\n')) {
    replay.signal.throwIfAborted();
    if (text === '') continue;
    const parsed = v.safeParse(RejectionLine, text);
    if (!parsed.success) replay.tally.add('left alone', key, 'it is no refused body');
    else if (replay.sender === undefined || replay.sender === parsed.output.sender) {
      await replayOne(parsed.output, key, replay);
    }
  }
}

async function replayOne(rejection: Rejection, key: string, { replayed, tally, post }: RejectionReplay) {
  const source = `${key} ${rejection.rejection_id}`;
  const name = nameOf(rejection);
  if (replayed.has(name)) return tally.add('done before', source, '');
  if (rejection.truncated) return tally.add('left alone', source, 'it is larger than what was kept of it');
  if (post === undefined) {
    await replayed.note(name, {});
    return tally.add('replayed', source, `was refused with ${rejection.status} ${rejection.problem}`);
  }

  const checked = await post(rejection, 'check');
  const answer = checked.isCheck ? await post(rejection, 'send') : checked;
  // The status of an accepted event is the sender's choice; its id is there always.
  if (answer.eventId === '') return tally.add('still refused', source, `${answer.status} ${answer.problem}`);
  await replayed.note(name, { rejection_id: rejection.rejection_id, event_id: answer.eventId });
  tally.add('replayed', source, `is event ${answer.eventId}`);
}

/** One name for all that a sender sent with equal bytes within an hour. */
function nameOf({ rejected_at: rejectedAt, sender, body_fingerprint: fingerprint }: Rejection): string {
  return `${REJECTED}${partitionOf(new Date(rejectedAt))}/${sender}/${fingerprint}`;
}

/** The notes of earlier runs, and of this one. */
export interface Replayed {
  /** Whether something is noted under this name. */
  has(name: string): boolean;
  /** Notes what was done; in a dry run, for the rest of it only. */
  note(name: string, facts: Readonly<Record<string, string | number>>): Promise<void>;
}

/**
 * Reads the notes below `replayed/`, small objects. Each is created once, after the work it stands for, and is never
 * changed: so a run that was broken off goes on where it stopped, and one that is repeated does nothing.
 */
export async function readReplayed(store: Pick<ObjectStore, 'list' | 'create'>, dryRun: boolean): Promise<Replayed> {
  const known = new Set<string>();
  for await (const { key } of store.list(keyOf(REJECTED))) known.add(key);
  return {
    has: (name) => known.has(keyOf(name)),
    async note(name, facts) {
      known.add(keyOf(name));
      if (dryRun) return;
      // False when another run was faster; what it noted is as true.
      await store.create(keyOf(name), `${JSON.stringify({ ...facts, replayed_at: new Date().toISOString() })}\n`);
    },
  };
}

function keyOf(name: string): string {
  return `${REPLAYED}${name}`;
}
