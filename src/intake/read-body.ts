/** The bytes of a request, as they arrive. */

import { type Collected, collect } from './collect.ts';
import { MAX_RECEIVED_BYTES } from './limits.ts';

/** A body as it arrived, whole or not, still encoded. */
export interface ReceivedBody extends Collected {
  /** The Content-Encoding header in lower case; empty when there is none. */
  readonly encoding: string;
}

/**
 * Reads a body up to {@link MAX_RECEIVED_BYTES}. Bytes are counted as they arrive, unless the request says that there
 * are few enough: HTTP delivers no more than it says (RFC 9112 section 6.3), and one call costs less than a stream.
 * Reading does not fail: what is wrong with a body is found when it is decoded, and what has arrived can be kept.
 */
export async function readBody(request: Request): Promise<ReceivedBody> {
  const encoding = request.headers.get('Content-Encoding')?.trim().toLowerCase() ?? '';
  const length = request.headers.get('Content-Length');
  const isSmall = length !== null && Number(length) <= MAX_RECEIVED_BYTES;
  return { encoding, ...(isSmall ? await readWhole(request) : await collect(request.body, MAX_RECEIVED_BYTES)) };
}

async function readWhole(request: Request): Promise<Collected> {
  try {
    return { bytes: new Uint8Array(await request.arrayBuffer()), ending: 'whole' };
  } catch {
    return { bytes: new Uint8Array(), ending: 'broken' };
  }
}
