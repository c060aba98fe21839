/** How much goes in a request, and how long its answer may take, by how fast the line has been. Pure. */

import { MAX_BATCH_BYTES } from '../../contract/endpoint.ts';
import { ANSWER_TIMEOUT_MS } from '../post-with-timeout.ts';

const FIRST_BYTES = 64 * 1024;
const LEAST_BYTES = 4 * 1024;

/** An answer that comes sooner lets more go in the next request, one that comes later less, in milliseconds. */
const SOON_MS = 2_000;
const LATE_MS = 5_000;

/** What a byte takes on the slowest line that is worth sending over, in milliseconds: 1 kB/s for each request. */
const SLOWEST_MS_PER_BYTE = 1;
/** What is supposed before there is an answer. */
const FIRST_MS_PER_BYTE = 0.25;
/** How many times as slow as the last one a request may be before it counts as lost. */
const PATIENCE = 4;

/** The pace of one run. */
export interface Pace {
  /** The most bytes of a request. */
  readonly bytes: number;
  /** Whether the service has ever answered. */
  readonly hasAnswered: boolean;
  /** How long to wait for the answer to a request, in milliseconds. */
  timeoutMs(bytes: number): number;
  /** Takes into account that a request was answered. */
  answered(bytes: number, tookMs: number): void;
  /** Takes into account that no answer came. */
  lost(): void;
}

/** Starts with small requests and much patience. */
export function createPace(): Pace {
  let most = FIRST_BYTES;
  let msPerByte = FIRST_MS_PER_BYTE;
  let hasAnswered = false;
  return {
    get bytes() {
      return most;
    },
    get hasAnswered() {
      return hasAnswered;
    },
    timeoutMs: (bytes) => ANSWER_TIMEOUT_MS + Math.ceil(PATIENCE * bytes * msPerByte),
    answered(bytes, tookMs) {
      hasAnswered = true;
      // A small request says nothing about large ones.
      if (tookMs > LATE_MS) most = Math.max(most / 2, LEAST_BYTES);
      else if (tookMs < SOON_MS && bytes > most / 2) most = Math.min(most * 2, MAX_BATCH_BYTES);
      if (bytes > LEAST_BYTES) msPerByte = Math.min(tookMs / bytes, SLOWEST_MS_PER_BYTE);
    },
    lost() {
      most = Math.max(most / 4, LEAST_BYTES);
      msPerByte = Math.min(msPerByte * 2, SLOWEST_MS_PER_BYTE);
    },
  };
}
