/** Adapts the size and the timeout of requests to the speed of the connection. Pure. */

import { MAX_BATCH_BYTES } from '../../contract/endpoint.ts';
import { ANSWER_TIMEOUT_MS } from '../post-with-timeout.ts';

const FIRST_BYTES = 64 * 1024;
const LEAST_BYTES = 4 * 1024;

/** Answers that come sooner let requests grow, later ones make them shrink, in milliseconds. */
const SOON_MS = 2_000;
const LATE_MS = 5_000;

/** Time per byte on the slowest connection worth supporting, in milliseconds: 1 kB/s for each request. */
const SLOWEST_MS_PER_BYTE = 1;
/** Assumed before the first answer. */
const FIRST_MS_PER_BYTE = 0.25;
/** How many times slower than the last request one may be before it counts as lost. */
const PATIENCE = 4;

/** The pace of one run. */
export interface Pace {
  /** Maximum bytes of a request. */
  readonly bytes: number;
  /** Whether the service has answered in this run. */
  readonly hasAnswered: boolean;
  /** How long to wait for an answer, in milliseconds. */
  timeoutMs(bytes: number): number;
  /** Adjusts the pace after an answer. */
  answered(bytes: number, tookMs: number): void;
  /** Adjusts the pace after a request without an answer. */
  lost(): void;
}

/** Starts with small requests and long timeouts. */
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
