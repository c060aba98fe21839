/** A body without its content encoding (RFC 9110 section 8.4), counted once more. */

import { fail, ok, type Result } from '../result.ts';
import { type Collected, collect, type ReceivedBody } from './collect.ts';
import { MAX_BODY_BYTES } from './limits.ts';
import type { Refusal } from './refusal.ts';

/** Decodes a body of up to {@link MAX_BODY_BYTES} decoded bytes. */
export function decodeBody(received: ReceivedBody): Decoded | Promise<Decoded> {
  switch (received.encoding) {
    case '':
    case 'identity':
    // What some clients write to say that there is none.
    case 'none':
    case 'utf-8':
    case 'utf8':
      return check(received, 'incomplete');
    case 'gzip':
    case 'x-gzip':
      return received.ending === 'whole' ? gunzip(received.bytes) : check(received, 'incomplete');
    default:
      return fail({ reason: 'unsupported_encoding' });
  }
}

type Decoded = Result<Uint8Array, Refusal>;

async function gunzip(bytes: Uint8Array<ArrayBuffer>): Promise<Decoded> {
  const unzipped = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return check(await collect(unzipped, MAX_BODY_BYTES), 'unreadable_gzip');
}

function check({ bytes, ending }: Collected, broken: 'incomplete' | 'unreadable_gzip'): Decoded {
  if (ending === 'broken') return fail({ reason: broken });
  if (ending === 'cut_off' || bytes.byteLength > MAX_BODY_BYTES) {
    return fail({ reason: 'body_too_large', limitBytes: MAX_BODY_BYTES });
  }
  return ok(bytes);
}
