/** What a rehearsal consists of: assumptions about the platform, each with a question to a running service. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { Sender } from '../../senders/sender.ts';
import type { StoreLocation } from '../object-store/request.ts';
import type { ObjectStore } from '../object-store.ts';
import { addSender, NO_SENDERS } from '../token/sender-list.ts';
import type { RehearsedAccount } from './account.ts';

export interface Verdict {
  readonly answer: 'yes' | 'no' | 'unknown';
  /** What was observed, or why the question could not be asked. */
  readonly seen: string;
}

/** Something that this service assumes about the platform. */
export interface Assumption {
  /** A statement that is true or false. */
  readonly says: string;
  /** Whether only an account can answer. */
  readonly needsAccount?: true;
  /** Whether nothing after it can be asked unless the answer is yes. */
  readonly isNeeded?: true;
  /** Checks the assumption. An error makes the answer unknown. */
  ask(rehearsal: Rehearsal): Promise<Verdict>;
}

/** What questions may use, and what earlier ones leave for later ones. */
export interface Rehearsal {
  /** Number of events to send. */
  readonly events: number;
  /** Scheme and host of the service. */
  readonly origin: string;
  readonly tokens: ReturnType<typeof makeTokens>;
  readonly location: StoreLocation;
  readonly store: ObjectStore;
  /** Undefined if the service runs on this machine. */
  readonly account: RehearsedAccount | undefined;
  /** PSEUDONYM_KEY of the service. */
  readonly pseudonymKey: string;
  readonly signal: AbortSignal;
  /** Runs the crons if no platform does, with the clock advanced by steps of two hours. */
  runCrons(steps?: number): Promise<void>;
  /** The event_ids of events answered with 202. */
  readonly accepted: Set<string>;
  /** Readings of queues with messages waiting, and how many of those say since when. */
  readonly readings: { waiting: number; aged: number };
}

/** Creates a token for each role and one of a sender that is revoked, which exist nowhere else; and their list. */
export function makeTokens() {
  let list = NO_SENDERS;
  const add = (sender: Sender) => {
    const issued = addSender(list, sender);
    list = issued.list;
    return issued.token;
  };
  const tokens = {
    sender: add({ name: 'rehearsal' }),
    revoked: add({ name: 'rehearsal-revoked' }),
    operator: add({ name: 'rehearsal-operator', role: 'operator' }),
    reader: add({ name: 'rehearsal-reader', role: 'reader' }),
  };
  return { ...tokens, list };
}

export function verdict(isSo: boolean, seen: string): Verdict {
  return { answer: isSo ? 'yes' : 'no', seen };
}

/**
 * Polls until a condition holds.
 *
 * @param limitMs - Time limit, in milliseconds.
 * @returns Whether it held in time, and how long that took in words, such as `after 1.5 s` or `after 12 min`.
 */
export async function until(
  isSo: () => Promise<boolean>,
  limitMs: number,
  signal: AbortSignal,
  pauseMs = 1_000,
): Promise<{ readonly isSo: boolean; readonly after: string }> {
  const started = Date.now();
  for (;;) {
    const holds = await isSo();
    const seconds = (Date.now() - started) / 1_000;
    if (holds || seconds * 1_000 >= limitMs) {
      const after = seconds < 120 ? `after ${seconds.toFixed(1)} s` : `after ${Math.round(seconds / 60)} min`;
      return { isSo: holds, after };
    }
    await sleep(pauseMs, undefined, { signal });
  }
}
