/** The bytes of a request, as they arrive. */

import { type Collected, collect } from './collect.ts';
import { MAX_RECEIVED_BYTES } from './limits.ts';

/** A body as it arrived, whole or not, still encoded. */
export interface ReceivedBody extends Collected {
  /** The Content-Encoding header in lower case; empty when there is none. */
  readonly encoding: string;
}

/**
 * Reads a body up to {@link MAX_RECEIVED_BYTES}. Bytes are counted as they arrive, whatever Content-Length says.
 * Reading does not fail: what is wrong with a body is found when it is decoded, and what has arrived can be kept.
 */
export async function readBody(request: Request): Promise<ReceivedBody> {
  const encoding = request.headers.get('Content-Encoding')?.trim().toLowerCase() ?? '';
  return { encoding, ...(await collect(request.body, MAX_RECEIVED_BYTES)) };
}
