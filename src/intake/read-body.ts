/** Reads the bytes of a request. */

import { concat } from '../storage/concat.ts';
import { GZIP_OVERHEAD_BYTES, MAX_BODY_BYTES } from './limits.ts';

interface Collected {
  /** At most as many as the limit. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Whether the body is complete, was longer than the limit, or its stream broke. */
  readonly ending: 'whole' | 'cut_off' | 'broken';
}

/** A body as received, complete or not, and still encoded. */
export interface ReceivedBody extends Collected {
  /** The Content-Encoding header in lower case; empty when there is none. */
  readonly encoding: string;
}

/**
 * Reads a body of at most `maxBytes`, plus what gzip may add to incompressible data. Bytes are counted as they arrive,
 * whatever Content-Length says. Reading does not fail: a faulty body is found when it is decoded, and what has arrived
 * can be kept.
 */
export async function readBody({ headers, body }: Request, maxBytes: number): Promise<ReceivedBody> {
  const limit = maxBytes + GZIP_OVERHEAD_BYTES;
  const encoding = headers.get('Content-Encoding')?.trim().toLowerCase() ?? '';
  const length = Number(headers.get('Content-Length'));
  const fits = body !== null && length > 0 && length < limit;
  return { encoding, ...(await (fits ? readExpected(body, length, limit) : collect(body, limit))) };
}

/**
 * Reads a body that should have `length` bytes, into one buffer when they arrive together, which costs less than
 * collecting chunks. Pieces that were read are kept, since a buffer that is being filled is lost when the connection
 * breaks.
 */
async function readExpected(body: ReadableStream<Uint8Array>, length: number, limit: number): Promise<Collected> {
  const reader = byteReader(body);
  if (reader === undefined) return collect(body, limit);
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let received = 0;
  try {
    while (received < length) {
      // Room for one byte more, so that Content-Length need not be trusted. A batch arrives in many pieces anyway.
      const { done, value } = await reader.read(new Uint8Array(Math.min(length + 1 - received, MAX_BODY_BYTES)));
      if (done) return { bytes: joined(pieces), ending: 'whole' };
      // A piece holds on to its whole buffer, and a body may arrive in thousands of small pieces.
      pieces.push(value.byteLength < length ? value.slice() : value);
      received += value.byteLength;
    }
  } catch {
    return { bytes: joined(pieces), ending: 'broken' };
  }
  // Nothing follows the last byte that Content-Length counts (RFC 9112 section 6.3, RFC 9113 section 8.1.1), and
  // reading up to the end of the stream would cost as much as the body did.
  if (received === length) return { bytes: joined(pieces), ending: 'whole' };
  reader.releaseLock();
  const { bytes, ending } = await collect(body, limit - received);
  return { bytes: concat([...pieces, bytes]), ending };
}

/** Joins the pieces. Usually there is only one. */
function joined(pieces: readonly Uint8Array<ArrayBuffer>[]): Uint8Array<ArrayBuffer> {
  const [first, second] = pieces;
  return first !== undefined && second === undefined ? first : concat(pieces);
}

/** A BYOB reader, or undefined when the stream is not a byte stream. */
function byteReader(body: ReadableStream<Uint8Array>): ReadableStreamBYOBReader | undefined {
  try {
    return body.getReader({ mode: 'byob' });
  } catch {
    return undefined;
  }
}

/** Collects up to `limitBytes` of a stream. Reading stops at the first byte beyond the limit. */
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
