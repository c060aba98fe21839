/** The bytes of a request, as they arrive. */

import { type Collected, collect, concat, type ReceivedBody } from './collect.ts';
import { MAX_RECEIVED_BYTES } from './limits.ts';

/**
 * Reads a body up to {@link MAX_RECEIVED_BYTES}. Bytes are counted as they arrive, whatever Content-Length says.
 * Reading does not fail: what is wrong with a body is found when it is decoded, and what has arrived can be kept.
 */
export async function readBody({ headers, body }: Request): Promise<ReceivedBody> {
  const encoding = headers.get('Content-Encoding')?.trim().toLowerCase() ?? '';
  const length = Number(headers.get('Content-Length'));
  const fits = body !== null && length > 0 && length < MAX_RECEIVED_BYTES;
  return { encoding, ...(await (fits ? readExpected(body, length) : collect(body, MAX_RECEIVED_BYTES))) };
}

/** Reads a body that should have so many bytes: in one call, which costs less than taking each piece, when it has. */
async function readExpected(body: ReadableStream<Uint8Array>, length: number): Promise<Collected> {
  const reader = byteReader(body);
  if (reader === undefined) return collect(body, MAX_RECEIVED_BYTES);
  let start: Uint8Array<ArrayBuffer>;
  try {
    const { value } = await reader.readAtLeast(length + 1, new Uint8Array(length + 1));
    start = value ?? new Uint8Array();
  } catch {
    return { bytes: new Uint8Array(), ending: 'broken' };
  }
  // Fewer than were asked for come only at the end.
  if (start.byteLength <= length) return { bytes: start, ending: 'whole' };
  reader.releaseLock();
  const { bytes, ending } = await collect(body, MAX_RECEIVED_BYTES - start.byteLength);
  return { bytes: concat([start, bytes]), ending };
}

/** A reader that fills a buffer, or undefined for a stream that was made of other pieces than bytes. */
function byteReader(body: ReadableStream<Uint8Array>): ReadableStreamBYOBReader | undefined {
  try {
    return body.getReader({ mode: 'byob' });
  } catch {
    return undefined;
  }
}
