/** Every event of an input to a service, several at a time. */

import pMap, { pMapSkip } from 'p-map';
import type { ProgressBar } from '../show-progress.ts';
import { type Delivered, deliver, deliverBatch, type SendTarget } from './deliver.ts';
import type { Outgoing } from './outgoing.ts';
import type { SentLog } from './sent-log.ts';
import type { Summary } from './summary.ts';
import { type GroupLimits, takeTurns } from './turns.ts';

/** What sending needs. */
export interface Sending {
  readonly target: SendTarget;
  readonly sentLog: SentLog;
  readonly summary: Summary;
  readonly progress: ProgressBar;
  /** How many events go in one request. */
  readonly limits: GroupLimits;
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

/**
 * Sends until all events have an answer, or the first cannot get one. Those under way then are waited for. An event goes
 * when those before it of its reservation have their answers.
 */
export async function sendAll(events: AsyncIterable<Outgoing>, sending: Sending): Promise<Sent> {
  const { target, sentLog, summary, progress, limits, concurrency } = sending;
  let before = 0;
  let done = 0;
  let failure: Error | undefined;

  function showDone(): void {
    progress.update(done, `${summary.refused} refused, ${summary.retries} sent again`);
  }

  async function settle(event: Outgoing, delivered: Delivered): Promise<void> {
    await sentLog.note(event, delivered);
    summary.add(delivered);
    done += 1;
    showDone();
  }

  async function sendGroup(group: readonly Outgoing[]): Promise<void> {
    const events = group.filter(({ key }) => !sentLog.has(key));
    before += group.length - events.length;
    done += group.length - events.length;
    showDone();
    const onWait = (why: string) => progress.update(done, why);
    const [event, ...others] = events;
    if (event === undefined) return;
    if (others.length > 0) await deliverBatch(events, target, onWait, settle);
    else await settle(event, await deliver(event, target, onWait));
  }

  const turns = takeTurns(events, limits);
  async function sendInTurn(group: readonly Outgoing[]): Promise<typeof pMapSkip> {
    try {
      if (failure === undefined) await sendGroup(group);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      failure ??= error;
    }
    for (const event of group) turns.finish(event);
    return pMapSkip;
  }

  await pMap(turns.groups, sendInTurn, { concurrency });
  return { before, done, ...(failure !== undefined && { failure }) };
}
