/** What is rehearsed: assumptions about the platform, each with a question that a running service answers. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { StoreLocation } from '../object-store/request.ts';
import type { ObjectStore } from '../object-store.ts';
import { addSender, NO_SENDERS, type SenderList } from '../token/sender-list.ts';
import type { RehearsedAccount } from './account.ts';

/** What became of a question. */
export interface Verdict {
  readonly answer: 'yes' | 'no' | 'unknown';
  /** What was seen, or why it could not be asked. */
  readonly seen: string;
}

/** Something that this service takes for granted. */
export interface Assumption {
  /** As a statement that is true or false. */
  readonly says: string;
  /** Whether an account is needed to ask. */
  readonly needsAccount?: true;
  /** Whether nothing that follows can be asked when the answer is no. */
  readonly isNeeded?: true;
  /** Asks. What it throws makes the answer unknown. */
  ask(rehearsal: Rehearsal): Promise<Verdict>;
}

/** The tokens of a rehearsal, one for each role, and the list of their digests. */
export interface RehearsedTokens {
  readonly list: SenderList;
  readonly sender: string;
  /** Of another sender, which is revoked. */
  readonly revoked: string;
  readonly operator: string;
  readonly reader: string;
}

/** Everything that a question may use, and what earlier ones have left for later ones. */
export interface Rehearsal {
  /** How many events are sent. */
  readonly events: number;
  /** Scheme and host of the service. */
  readonly origin: string;
  readonly tokens: RehearsedTokens;
  readonly location: StoreLocation;
  readonly store: ObjectStore;
  /** Undefined for a service on this machine. */
  readonly account: RehearsedAccount | undefined;
  /** PSEUDONYM_KEY of the service. */
  readonly pseudonymKey: string;
  readonly signal: AbortSignal;
  /** Runs the crons where nothing else does, as if it were some steps of two hours later. */
  runCrons(steps?: number): Promise<void>;
  /** The event_ids that were answered 202. */
  readonly accepted: Set<string>;
  /** The readings of queues in which something waited, and those of them that say since when. */
  readonly readings: { waiting: number; aged: number };
}

/** Makes tokens that exist nowhere else. */
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

/** The answer yes or no. */
export function verdict(isSo: boolean, seen: string): Verdict {
  return { answer: isSo ? 'yes' : 'no', seen };
}

/**
 * Looks again and again until something is so.
 *
 * @returns Whether it became so in time.
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

/** A duration in words: `1.5 s`, `12 min`. */
export function duration(milliseconds: number): string {
  const seconds = milliseconds / 1_000;
  return seconds < 120 ? `${seconds.toFixed(1)} s` : `${Math.round(seconds / 60)} min`;
}
