/** Decodes the content encoding of a body (RFC 9110 section 8.4) and checks its decoded size. */

import { gunzipSync } from 'node:zlib';
import { fail, ok, type Result } from '../result.ts';
import type { ReceivedBody } from './read-body.ts';
import type { Refusal } from './refusal.ts';

type Decoded = Result<Uint8Array, Refusal>;

/**
 * In bytes. workerd counts the last output buffer of zlib as full, so `maxOutputLength` is this much above the limit,
 * and the exact size is checked afterwards.
 */
const PIECE_BYTES = 65_536;

/** Decodes a body of at most `maxBytes` bytes after decoding. */
export function decodeBody(received: ReceivedBody, maxBytes: number): Decoded {
  const { encoding, bytes } = received;
  switch (encoding) {
    case '':
    case 'identity':
    // Some clients send these for a body without an encoding.
    case 'none':
    case 'utf-8':
    case 'utf8':
      return checkSize(received, maxBytes);
    case 'gzip':
    case 'x-gzip':
      return received.ending === 'whole' ? gunzip(bytes, maxBytes) : checkSize(received, maxBytes);
    default:
      return fail({ reason: 'unsupported_encoding' });
  }
}

/** The result of zlib with the option `info`, which its types leave out. */
interface Unpacked {
  readonly buffer: Uint8Array;
  readonly engine: { readonly bytesWritten: number };
}

/** Decompresses a gzip stream of one or more members (RFC 1952 section 2.2), up to the limit. */
function gunzip(bytes: Uint8Array, maxBytes: number): Decoded {
  try {
    const options = { maxOutputLength: maxBytes + PIECE_BYTES, info: true };
    const { buffer, engine } = gunzipSync(bytes, options) as unknown as Unpacked;
    // zlib stops at a zero byte after a member, which it takes for padding, and would silently drop what follows.
    if (bytes.subarray(engine.bytesWritten).some((byte) => byte !== 0)) return fail({ reason: 'unreadable_gzip' });
    return buffer.byteLength > maxBytes ? tooLarge(maxBytes) : ok(buffer);
  } catch (error) {
    // zlib throws a RangeError when the limit is exceeded, and an Error for bad data.
    return error instanceof RangeError ? tooLarge(maxBytes) : fail({ reason: 'unreadable_gzip' });
  }
}

function checkSize({ bytes, ending }: ReceivedBody, maxBytes: number): Decoded {
  if (ending === 'broken') return fail({ reason: 'incomplete' });
  return ending === 'cut_off' || bytes.byteLength > maxBytes ? tooLarge(maxBytes) : ok(bytes);
}

function tooLarge(limitBytes: number): Decoded {
  return fail({ reason: 'body_too_large', limitBytes });
}
