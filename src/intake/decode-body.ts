/** A body without its content encoding (RFC 9110 section 8.4), counted once more. */

import { fail, ok, type Result } from '../result.ts';
import type { ReceivedBody } from './collect.ts';
import { type Collected, collect } from './collect.ts';
import { MAX_BODY_BYTES } from './limits.ts';

/** Why a body could not be read. */
export type BodyFailure =
  | { readonly reason: 'unsupported_encoding' }
  | { readonly reason: 'body_too_large'; readonly limitBytes: number }
  | { readonly reason: 'unreadable_gzip' }
  | { readonly reason: 'incomplete' };

/** Decodes a body of up to {@link MAX_BODY_BYTES} decoded bytes. */
export async function decodeBody(received: ReceivedBody): Promise<Result<Uint8Array, BodyFailure>> {
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
      return received.ending === 'whole'
        ? check(await gunzip(received.bytes), 'unreadable_gzip')
        : check(received, 'incomplete');
    default:
      return fail({ reason: 'unsupported_encoding' });
  }
}

function gunzip(bytes: Uint8Array<ArrayBuffer>): Promise<Collected> {
  return collect(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip')), MAX_BODY_BYTES);
}

function check(
  { bytes, ending }: Collected,
  broken: 'incomplete' | 'unreadable_gzip',
): Result<Uint8Array, BodyFailure> {
  if (ending === 'broken') return fail({ reason: broken });
  if (ending === 'cut_off' || bytes.byteLength > MAX_BODY_BYTES) {
    return fail({ reason: 'body_too_large', limitBytes: MAX_BODY_BYTES });
  }
  return ok(bytes);
}
