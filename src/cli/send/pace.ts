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

export type Pace = ReturnType<typeof createPace>;

/** The pace of one run. Starts with small requests and long timeouts. */
export function createPace() {
  let most = FIRST_BYTES;
  let msPerByte = FIRST_MS_PER_BYTE;
  let hasAnswered = false;
  return {
    /** Maximum bytes of a request. */
    get bytes() {
      return most;
    },
    /** Whether the service has answered in this run. */
    get hasAnswered() {
      return hasAnswered;
    },
    /** How long to wait for an answer, in milliseconds. */
    timeoutMs: (bytes: number) => ANSWER_TIMEOUT_MS + Math.ceil(PATIENCE * bytes * msPerByte),
    answered(bytes: number, tookMs: number): void {
      hasAnswered = true;
      // A small request says nothing about large ones.
      if (tookMs > LATE_MS) most = Math.max(most / 2, LEAST_BYTES);
      else if (tookMs < SOON_MS && bytes > most / 2) most = Math.min(most * 2, MAX_BATCH_BYTES);
      if (bytes > LEAST_BYTES) msPerByte = Math.min(tookMs / bytes, SLOWEST_MS_PER_BYTE);
    },
    /** Adjusts the pace after a request without an answer. */
    lost(): void {
      most = Math.max(most / 4, LEAST_BYTES);
      msPerByte = Math.min(msPerByte * 2, SLOWEST_MS_PER_BYTE);
    },
  };
}
