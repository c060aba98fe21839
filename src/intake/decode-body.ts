/** A body without its content encoding (RFC 9110 section 8.4), counted once more. */

import { gunzipSync } from 'node:zlib';
import { fail, ok, type Result } from '../result.ts';
import type { ReceivedBody } from './read-body.ts';
import type { Refusal } from './refusal.ts';

type Decoded = Result<Uint8Array, Refusal>;

/** workerd counts the whole of the last piece that zlib may fill, in bytes: with this much more than the limit it is exact. */
const PIECE_BYTES = 65_536;

/** Decodes a body of at most `maxBytes` decoded bytes. */
export function decodeBody(received: ReceivedBody, maxBytes: number): Decoded {
  const { encoding, bytes } = received;
  switch (encoding) {
    case '':
    case 'identity':
    // What some clients write to say that there is none.
    case 'none':
    case 'utf-8':
    case 'utf8':
      return check(received, maxBytes);
    case 'gzip':
    case 'x-gzip':
      return received.ending === 'whole' ? gunzip(bytes, maxBytes) : check(received, maxBytes);
    default:
      return fail({ reason: 'unsupported_encoding' });
  }
}

/** What zlib answers where `info` is asked for, which its types leave out. */
interface Unpacked {
  readonly buffer: Uint8Array;
  readonly engine: { readonly bytesWritten: number };
}

/** Unpacks gzip of one member or several (RFC 1952 section 2.2), as far as the limit and no further. */
function gunzip(bytes: Uint8Array, maxBytes: number): Decoded {
  try {
    const options = { maxOutputLength: maxBytes + PIECE_BYTES, info: true };
    const { buffer, engine } = gunzipSync(bytes, options) as unknown as Unpacked;
    // It ends at a zero byte behind a member, as padding begins, and whatever comes behind that would be lost unseen.
    if (bytes.subarray(engine.bytesWritten).some((byte) => byte !== 0)) return fail({ reason: 'unreadable_gzip' });
    return buffer.byteLength > maxBytes ? tooLarge(maxBytes) : ok(buffer);
  } catch (error) {
    // What zlib throws of data is an Error, and a RangeError for the limit.
    return error instanceof RangeError ? tooLarge(maxBytes) : fail({ reason: 'unreadable_gzip' });
  }
}

function check({ bytes, ending }: ReceivedBody, maxBytes: number): Decoded {
  if (ending === 'broken') return fail({ reason: 'incomplete' });
  return ending === 'cut_off' || bytes.byteLength > maxBytes ? tooLarge(maxBytes) : ok(bytes);
}

function tooLarge(limitBytes: number): Decoded {
  return fail({ reason: 'body_too_large', limitBytes });
}
