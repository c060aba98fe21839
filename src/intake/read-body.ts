/** The bytes of a request, decoded and counted. */

import { fail, ok, type Result } from '../contract/result.ts';
import { MAX_BODY_BYTES } from './limits.ts';

/** Why a body could not be read. */
export type BodyFailure =
  | { readonly reason: 'unsupported_encoding' }
  | { readonly reason: 'body_too_large'; readonly limitBytes: number }
  | { readonly reason: 'unreadable_gzip' }
  | { readonly reason: 'incomplete' };

/**
 * Reads a body up to {@link MAX_BODY_BYTES} decoded bytes. Bytes are counted as they arrive, whatever Content-Length
 * says, and reading stops at the first one too many.
 */
export async function readBody(request: Request): Promise<Result<Uint8Array, BodyFailure>> {
  const encoding = request.headers.get('Content-Encoding')?.trim().toLowerCase() ?? '';
  switch (encoding) {
    case '':
    case 'identity':
      return readUpTo(request.body, MAX_BODY_BYTES, 'incomplete');
    case 'gzip':
    case 'x-gzip':
      return readUpTo(request.body?.pipeThrough(new DecompressionStream('gzip')), MAX_BODY_BYTES, 'unreadable_gzip');
    default:
      return fail({ reason: 'unsupported_encoding' });
  }
}

async function readUpTo(
  stream: ReadableStream<Uint8Array> | null | undefined,
  limitBytes: number,
  broken: 'incomplete' | 'unreadable_gzip',
): Promise<Result<Uint8Array, BodyFailure>> {
  if (stream === null || stream === undefined) return ok(new Uint8Array());
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of stream) {
      length += chunk.byteLength;
      // Leaving the loop cancels the stream.
      if (length > limitBytes) return fail({ reason: 'body_too_large', limitBytes });
      chunks.push(chunk);
    }
  } catch {
    return fail({ reason: broken });
  }
  return ok(concat(chunks, length));
}

function concat(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const [only] = chunks;
  if (only !== undefined && chunks.length === 1) return only;
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return bytes;
}
