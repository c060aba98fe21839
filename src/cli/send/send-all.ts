/** Sends every event of an input to a service, with several requests in flight. */

import { MAX_BATCH_EVENTS } from '../../contract/endpoint.ts';
import type { ProgressBar } from '../show-progress.ts';
import { type Delivered, deliver, deliverBatch, type SendTarget } from './deliver.ts';
import { divide, type Lane } from './lanes.ts';
import type { Outgoing } from './outgoing.ts';
import { createPace } from './pace.ts';
import type { SentLog } from './sent-log.ts';
import type { Summary } from './summary.ts';

/** Enough to keep a connection busy while answers are in flight. */
const REQUESTS_AT_A_TIME = 8;

export interface Sending {
  readonly target: Pick<SendTarget, 'url' | 'token' | 'signal'>;
  readonly sentLog: Pick<SentLog, 'has' | 'reserve' | 'note'>;
  readonly summary: Summary;
  readonly progress: ProgressBar;
}

/**
 * Sends until all events are answered or one cannot be. Requests in flight are still waited for.
 *
 * @returns How many events were answered in an earlier run (`before`), how many are answered now, including those
 * (`done`), how many were sent and not answered, so that they may be stored (`unknown`), and why sending stopped early.
 */
export async function sendAll(events: AsyncIterable<Outgoing>, sending: Sending) {
  const { sentLog, summary, progress } = sending;
  let before = 0;
  let done = 0;
  let failure: Error | undefined;
  const unknown = new Set<string>();
  const pace = createPace();
  const stop = new AbortController();
  const target: SendTarget = {
    ...sending.target,
    pace,
    onAgain(count, why) {
      summary.again(count);
      progress.say(why);
    },
    onLost(lost) {
      for (const { key } of lost) unknown.add(key);
    },
  };

  async function* unanswered(): AsyncGenerator<Outgoing> {
    for await (const event of events) {
      if (!sentLog.has(event.key)) yield event;
      else {
        before += 1;
        showDone(1);
      }
    }
  }

  function showDone(more: number): void {
    done += more;
    progress.update(done, `${summary.outcomes.refused} refused, ${summary.retries} sent again`);
  }

  async function settle(event: Outgoing, delivered: Delivered): Promise<void> {
    summary.add(delivered);
    unknown.delete(event.key);
    await sentLog.note(event, delivered);
    showDone(1);
  }

  async function sendGroup(group: readonly Outgoing[]): Promise<void> {
    // What cannot be recorded is not sent.
    await sentLog.reserve(group.length);
    const [event, ...others] = group;
    if (others.length > 0) await deliverBatch(group, target, settle);
    else if (event !== undefined) await settle(event, await deliver(event, target));
  }

  async function sendLane(lane: Lane): Promise<void> {
    try {
      for (;;) {
        target.signal.throwIfAborted();
        const group = await lane.next({ events: MAX_BATCH_EVENTS, bytes: pace.bytes });
        if (group.length === 0) return;
        await sendGroup(group);
      }
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      failure ??= error;
      stop.abort();
    }
  }

  await Promise.all(divide(unanswered(), REQUESTS_AT_A_TIME, stop.signal).map(sendLane));
  return { before, done, unknown: unknown.size, failure };
}
