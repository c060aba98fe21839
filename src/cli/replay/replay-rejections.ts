/** Replays refused bodies to the endpoint that refused them. */

import * as v from 'valibot';
import { partitionOf, REPLAYED } from '../../storage/keys.ts';
import { type Rejection, RejectionSchema } from '../../storage/rejection.ts';
import type { ObjectStore } from '../object-store.ts';
import type { Post } from './post.ts';
import type { Tally } from './tally.ts';

/** Key prefix of refused bodies. */
const REJECTED = 'rejected/';

const RejectionLine = v.pipe(v.string(), v.parseJson(), RejectionSchema);

export interface RejectionReplay {
  readonly replayed: Replayed;
  readonly tally: Tally;
  /** Without it nothing is posted, and the tally lists what would be. */
  readonly post: Post | undefined;
  /** Only bodies of this sender; of all senders if absent. */
  readonly sender?: string | undefined;
  /** Stops the replay between two bodies. */
  readonly signal: AbortSignal;
}

/**
 * Replays the bodies of one object of `rejected/`, in order. A body that a sender repeated within an hour is posted
 * once. Each body is checked first, which stores nothing, and posted only if it would be accepted: a body that is still
 * refused stays where it is, is not stored again, and can be replayed after the next fix.
 */
export async function replayRejections(store: ObjectStore, key: string, replay: RejectionReplay): Promise<void> {
  const bytes = await store.get(key);
  // It expired after it was listed.
  if (bytes === undefined) return;
  for (const text of new TextDecoder().decode(bytes).split('\n')) {
    replay.signal.throwIfAborted();
    if (text === '') continue;
    const parsed = v.safeParse(RejectionLine, text);
    if (!parsed.success) replay.tally.add('left alone', key, 'it is not a refused body');
    else if (replay.sender === undefined || replay.sender === parsed.output.sender) {
      await replayOne(parsed.output, key, replay);
    }
  }
}

async function replayOne(rejection: Rejection, key: string, { replayed, tally, post }: RejectionReplay) {
  const source = `${key} ${rejection.rejection_id}`;
  const name = nameOf(rejection);
  if (replayed.has(name)) return tally.add('done before', source, '');
  if (rejection.truncated) return tally.add('left alone', source, 'only its beginning was kept');
  if (post === undefined) {
    await replayed.note(name, {});
    return tally.add('replayed', source, `was refused with ${rejection.status} ${rejection.problem}`);
  }

  const checked = await post(rejection, 'check');
  const answer = checked.isCheck ? await post(rejection, 'send') : checked;
  // A sender can choose the status of accepted events, but there is always an event_id.
  if (answer.eventId === '') return tally.add('still refused', source, `${answer.status} ${answer.problem}`);
  await replayed.note(name, { rejection_id: rejection.rejection_id, event_id: answer.eventId });
  tally.add('replayed', source, `is event ${answer.eventId}`);
}

/** The same name for equal bytes from one sender within an hour. */
function nameOf({ rejected_at: rejectedAt, sender, body_fingerprint: fingerprint }: Rejection): string {
  return `${REJECTED}${partitionOf(new Date(rejectedAt))}/${sender}/${fingerprint}`;
}

/** The bodies that were replayed, in earlier runs and in this one. */
export interface Replayed {
  has(name: string): boolean;
  /** Records a replayed body; in a dry run, only until the end of the run. */
  note(name: string, facts: Readonly<Record<string, string | number>>): Promise<void>;
}

/**
 * Reads the records below `replayed/`, which are small objects. Each is created once, after its body was replayed, and
 * never changed: an interrupted run continues where it stopped, and a repeated one does nothing.
 */
export async function readReplayed(store: Pick<ObjectStore, 'list' | 'create'>, dryRun: boolean): Promise<Replayed> {
  const known = new Set<string>();
  for await (const { key } of store.list(keyOf(REJECTED))) known.add(key);
  return {
    has: (name) => known.has(keyOf(name)),
    async note(name, facts) {
      known.add(keyOf(name));
      if (dryRun) return;
      // False if another run was faster; its record is just as valid.
      await store.create(keyOf(name), `${JSON.stringify({ ...facts, replayed_at: new Date().toISOString() })}\n`);
    },
  };
}

function keyOf(name: string): string {
  return `${REPLAYED}${name}`;
}
