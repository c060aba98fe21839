/** Every event of a source to a service, several at a time. */

import pMap, { pMapSkip } from 'p-map';
import type { Progress } from '../progress.ts';
import { deliver, type Target } from './deliver.ts';
import type { Journal } from './journal.ts';
import type { Outgoing } from './outgoing.ts';
import type { Summary } from './summary.ts';

/** What sending needs. */
export interface Sending {
  readonly target: Target;
  readonly journal: Journal;
  readonly summary: Summary;
  readonly progress: Progress;
  /** The most requests at a time. */
  readonly concurrency: number;
}

/** How far it came. */
export interface Sent {
  /** Events that had their answer from an earlier run. */
  readonly before: number;
  /** Events that have their answer now, those included. */
  readonly done: number;
  /** Why it ended early. */
  readonly failure?: Error;
}

/** Sends until all events have an answer, or the first cannot get one. Those under way then are waited for. */
export async function sendAll(events: AsyncIterable<Outgoing>, sending: Sending): Promise<Sent> {
  const { target, journal, summary, progress, concurrency } = sending;
  let before = 0;
  let done = 0;
  let failure: Error | undefined;

  async function sendOne(event: Outgoing): Promise<typeof pMapSkip> {
    if (failure !== undefined) return pMapSkip;
    if (journal.has(event.key)) {
      before += 1;
    } else {
      try {
        const delivered = await deliver(event, target, (why) => progress.update(done, why));
        await journal.note(event, delivered);
        summary.add(delivered);
      } catch (error) {
        if (!(error instanceof Error)) throw error;
        failure ??= error;
        return pMapSkip;
      }
    }
    done += 1;
    progress.update(done, `${summary.refused} refused, ${summary.retries} sent again`);
    return pMapSkip;
  }

  await pMap(events, sendOne, { concurrency });
  return { before, done, ...(failure !== undefined && { failure }) };
}
