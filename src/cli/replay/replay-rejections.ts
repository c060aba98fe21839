/** Replays refused bodies to the endpoint that refused them. */

import * as v from 'valibot';
import { partitionOf, REPLAYED } from '../../storage/keys.ts';
import { type Rejection, RejectionSchema } from '../../storage/rejection.ts';
import type { ObjectStore } from '../object-store.ts';
import type { Post } from './post.ts';

const RejectionLine = v.pipe(v.string(), v.parseJson(), RejectionSchema);

/** What became of a body, in the words that are printed. */
type Ending = 'to replay' | 'replayed' | 'done before' | 'still refused' | 'left alone';

/**
 * Starts a replay. What was replayed is recorded below `replayed/`, in small objects that are created once, after the
 * body was replayed, and never change: an interrupted run continues where it stopped, and a repeated one does nothing.
 *
 * @param post - Without it nothing is posted or recorded, and the counts say what would be.
 * @param sender - Only bodies of this sender; of all senders if undefined.
 * @param write - Called with a line of text for each body, except for those done before.
 * @param signal - Stops the replay between two bodies.
 */
export async function startReplay(
  store: ObjectStore,
  post: Post | undefined,
  sender: string | undefined,
  write: (line: string) => void,
  signal: AbortSignal,
) {
  const replayed = new Set<string>();
  for await (const { key } of store.list(`${REPLAYED}rejected/`)) replayed.add(key);
  const totals = new Map<Ending, number>();

  function tally(ending: Ending, source: string, why: string): void {
    totals.set(ending, (totals.get(ending) ?? 0) + 1);
    if (ending !== 'done before') write(`${ending.padEnd(13)} ${source}  ${why}`);
  }

  async function replayOne(rejection: Rejection, source: string): Promise<void> {
    const record = recordOf(rejection);
    if (replayed.has(record)) return tally('done before', source, '');
    if (rejection.truncated) return tally('left alone', source, 'only its beginning was kept');
    if (post === undefined) {
      replayed.add(record);
      return tally('to replay', source, `was refused with ${rejection.status} ${rejection.problem}`);
    }
    const checked = await post(rejection, 'check');
    const answer = checked.isCheck ? await post(rejection, 'send') : checked;
    // A sender can choose the status of accepted events, but there is always an event_id.
    if (answer.eventId === '') return tally('still refused', source, `${answer.status} ${answer.problem}`);
    replayed.add(record);
    const facts = { rejection_id: rejection.rejection_id, event_id: answer.eventId, replayed_at: new Date() };
    // False if another run was faster; its record is just as valid.
    await store.create(record, `${JSON.stringify(facts)}\n`);
    tally('replayed', source, `is event ${answer.eventId}`);
  }

  return {
    /**
     * Replays the bodies of one object of `rejected/`, in order. A body that a sender repeated within an hour is posted
     * once. Each body is checked first, which stores nothing, and posted only if it would be accepted: a body that is
     * still refused stays where it is, is not stored again, and can be replayed after the next fix.
     */
    async replayObject(key: string): Promise<void> {
      // An object that is gone expired after it was listed.
      const text = new TextDecoder().decode(await store.get(key));
      for (const line of text.split('\n')) {
        signal.throwIfAborted();
        if (line === '') continue;
        const { success, output } = v.safeParse(RejectionLine, line);
        if (!success) tally('left alone', key, 'it is not a refused body');
        else if (sender === undefined || sender === output.sender) {
          await replayOne(output, `${key} ${output.rejection_id}`);
        }
      }
    },
    summary(): string {
      const counts = Array.from(totals, ([ending, bodies]) => `${bodies} ${ending}`);
      const what = counts.join(', ') || 'Nothing was found';
      return totals.has('to replay') ? `${what}. Nothing was changed; repeat the command with --yes to do it` : what;
    },
  };
}

/** The key of the record of a replay: the same for equal bytes from one sender within an hour. */
function recordOf({ rejected_at: rejectedAt, sender, body_fingerprint: fingerprint }: Rejection): string {
  return `${REPLAYED}rejected/${partitionOf(new Date(rejectedAt))}/${sender}/${fingerprint}`;
}
