/** A body without its content encoding (RFC 9110 section 8.4), counted once more. */

import { fail, ok, type Result } from '../result.ts';
import { type Collected, collect, type ReceivedBody } from './collect.ts';
import type { Refusal } from './refusal.ts';

/** Decodes a body of at most so many decoded bytes. */
export async function decodeBody(received: ReceivedBody, maxBytes: number): Promise<Decoded> {
  switch (received.encoding) {
    case '':
    case 'identity':
    // What some clients write to say that there is none.
    case 'none':
    case 'utf-8':
    case 'utf8':
      return check(received, 'incomplete', maxBytes);
    case 'gzip':
    case 'x-gzip':
      return received.ending === 'whole' ? gunzip(received.bytes, maxBytes) : check(received, 'incomplete', maxBytes);
    default:
      return fail({ reason: 'unsupported_encoding' });
  }
}

type Decoded = Result<Uint8Array, Refusal>;

async function gunzip(bytes: Uint8Array<ArrayBuffer>, maxBytes: number): Promise<Decoded> {
  const unzipped = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return check(await collect(unzipped, maxBytes), 'unreadable_gzip', maxBytes);
}

function check({ bytes, ending }: Collected, broken: 'incomplete' | 'unreadable_gzip', maxBytes: number): Decoded {
  if (ending === 'broken') return fail({ reason: broken });
  if (ending === 'cut_off' || bytes.byteLength > maxBytes) {
    return fail({ reason: 'body_too_large', limitBytes: maxBytes });
  }
  return ok(bytes);
}
