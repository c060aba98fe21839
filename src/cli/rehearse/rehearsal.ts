/** What a rehearsal consists of: assumptions about the platform, each with a question to a running service. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { StoreLocation } from '../object-store/request.ts';
import type { ObjectStore } from '../object-store.ts';
import { addSender, NO_SENDERS, type SenderList } from '../token/sender-list.ts';
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

/** The tokens of a rehearsal, one for each role, and the list of their digests. */
export interface RehearsedTokens {
  readonly list: SenderList;
  readonly sender: string;
  /** The token of another sender, which is revoked. */
  readonly revoked: string;
  readonly operator: string;
  readonly reader: string;
}

/** What questions may use, and what earlier ones leave for later ones. */
export interface Rehearsal {
  /** Number of events to send. */
  readonly events: number;
  /** Scheme and host of the service. */
  readonly origin: string;
  readonly tokens: RehearsedTokens;
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

/** Creates tokens that exist nowhere else. */
export function makeTokens(): RehearsedTokens {
  const sender = addSender(NO_SENDERS, { name: 'rehearsal' });
  const revoked = addSender(sender.list, { name: 'rehearsal-revoked' });
  const operator = addSender(revoked.list, { name: 'rehearsal-operator', role: 'operator' });
  const reader = addSender(operator.list, { name: 'rehearsal-reader', role: 'reader' });
  return {
    list: reader.list,
    sender: sender.token,
    revoked: revoked.token,
    operator: operator.token,
    reader: reader.token,
  };
}

export function verdict(isSo: boolean, seen: string): Verdict {
  return { answer: isSo ? 'yes' : 'no', seen };
}

/**
 * Polls until a condition holds.
 *
 * @param limitMs - Time limit, in milliseconds.
 * @returns Whether it held in time.
 */
export async function until(
  isSo: () => Promise<boolean>,
  limitMs: number,
  signal: AbortSignal,
  pauseMs = 1_000,
): Promise<boolean> {
  const end = Date.now() + limitMs;
  for (;;) {
    if (await isSo()) return true;
    if (Date.now() >= end) return false;
    await sleep(pauseMs, undefined, { signal });
  }
}

/** A duration in words, such as `1.5 s` or `12 min`. */
export function duration(milliseconds: number): string {
  const seconds = milliseconds / 1_000;
  return seconds < 120 ? `${seconds.toFixed(1)} s` : `${Math.round(seconds / 60)} min`;
}
