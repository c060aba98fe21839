/** The bytes of a request, as they arrive. */

import { concat } from '../storage/concat.ts';
import { GZIP_OVERHEAD_BYTES, MAX_BODY_BYTES } from './limits.ts';

interface Collected {
  /** No more than the limit. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** All bytes are here, there were more than the limit, or the stream broke. */
  readonly ending: 'whole' | 'cut_off' | 'broken';
}

/** A body as it arrived, whole or not, still encoded. */
export interface ReceivedBody extends Collected {
  /** The Content-Encoding header in lower case; empty when there is none. */
  readonly encoding: string;
}

/**
 * Reads a body of at most so many bytes, and what gzip adds to a text that it cannot shorten. Bytes are counted as they
 * arrive, whatever Content-Length says. Reading does not fail: what is wrong with a body is found when it is decoded, and
 * what has arrived can be kept.
 */
export async function readBody({ headers, body }: Request, maxBytes: number): Promise<ReceivedBody> {
  const limit = maxBytes + GZIP_OVERHEAD_BYTES;
  const encoding = headers.get('Content-Encoding')?.trim().toLowerCase() ?? '';
  const length = Number(headers.get('Content-Length'));
  const fits = body !== null && length > 0 && length < limit;
  return { encoding, ...(await (fits ? readExpected(body, length, limit) : collect(body, limit))) };
}

/**
 * Reads a body that should have so many bytes: into one buffer, which costs less than taking each piece, when they come
 * as one. What was read stays, since a buffer that is being filled is lost when the connection breaks.
 */
async function readExpected(body: ReadableStream<Uint8Array>, length: number, limit: number): Promise<Collected> {
  const reader = byteReader(body);
  if (reader === undefined) return collect(body, limit);
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let received = 0;
  try {
    while (received < length) {
      // With room for a byte too many, so that Content-Length need not be believed; a batch comes in many pieces anyway.
      const { done, value } = await reader.read(new Uint8Array(Math.min(length + 1 - received, MAX_BODY_BYTES)));
      if (done) return { bytes: joined(pieces), ending: 'whole' };
      // A piece keeps its whole buffer, and a body may come in thousands of small ones.
      pieces.push(value.byteLength < length ? value.slice() : value);
      received += value.byteLength;
    }
  } catch {
    return { bytes: joined(pieces), ending: 'broken' };
  }
  // Nothing follows the last byte of a Content-Length (RFC 9112 section 6.3, RFC 9113 section 8.1.1), and asking for the
  // end would cost as much as the body did.
  if (received === length) return { bytes: joined(pieces), ending: 'whole' };
  reader.releaseLock();
  const { bytes, ending } = await collect(body, limit - received);
  return { bytes: concat([...pieces, bytes]), ending };
}

/** One array of the bytes of all pieces, of which there is one as a rule. */
function joined(pieces: readonly Uint8Array<ArrayBuffer>[]): Uint8Array<ArrayBuffer> {
  const [first, second] = pieces;
  return first !== undefined && second === undefined ? first : concat(pieces);
}

/** A reader that fills a buffer, or undefined for a stream that was made of other pieces than bytes. */
function byteReader(body: ReadableStream<Uint8Array>): ReadableStreamBYOBReader | undefined {
  try {
    return body.getReader({ mode: 'byob' });
  } catch {
    return undefined;
  }
}

/** Collects up to `limitBytes` of a stream. Reading stops at the first byte too many. */
export async function collect(stream: ReadableStream<Uint8Array> | null, limitBytes: number): Promise<Collected> {
  const chunks: Uint8Array[] = [];
  let room = limitBytes;
  try {
    for await (const chunk of stream ?? []) {
      chunks.push(chunk.subarray(0, room));
      room -= chunk.byteLength;
      // Leaving the loop cancels the stream.
      if (room < 0) return { bytes: concat(chunks), ending: 'cut_off' };
    }
  } catch {
    return { bytes: concat(chunks), ending: 'broken' };
  }
  return { bytes: concat(chunks), ending: 'whole' };
}
