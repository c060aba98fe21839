/** Every event of an input to a service, several at a time. */

import pMap, { pMapSkip } from 'p-map';
import type { ProgressBar } from '../show-progress.ts';
import { deliver, type SendTarget } from './deliver.ts';
import type { Outgoing } from './outgoing.ts';
import type { SentLog } from './sent-log.ts';
import type { Summary } from './summary.ts';
import { takeTurns } from './turns.ts';

/** What sending needs. */
export interface Sending {
  readonly target: SendTarget;
  readonly sentLog: SentLog;
  readonly summary: Summary;
  readonly progress: ProgressBar;
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
  const { target, sentLog, summary, progress, concurrency } = sending;
  let before = 0;
  let done = 0;
  let failure: Error | undefined;

  async function sendOne(event: Outgoing): Promise<void> {
    if (sentLog.has(event.key)) {
      before += 1;
    } else {
      const delivered = await deliver(event, target, (why) => progress.update(done, why));
      await sentLog.note(event, delivered);
      summary.add(delivered);
    }
    done += 1;
    progress.update(done, `${summary.refused} refused, ${summary.retries} sent again`);
  }

  const turns = takeTurns(events);
  async function sendInTurn(event: Outgoing): Promise<typeof pMapSkip> {
    try {
      if (failure === undefined) await sendOne(event);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      failure ??= error;
    }
    turns.finish(event);
    return pMapSkip;
  }

  await pMap(turns.events, sendInTurn, { concurrency });
  return { before, done, ...(failure !== undefined && { failure }) };
}
