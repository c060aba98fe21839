/** What has arrived of the body of a request. */

import type { Collected } from './collect.ts';

/** A body as it arrived, whole or not, still encoded. */
export interface ReceivedBody extends Collected {
  /** The Content-Encoding header in lower case; empty when there is none. */
  readonly encoding: string;
}
