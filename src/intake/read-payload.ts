/** Bytes to one JSON object. The bytes decide; the media type only helps to say what went wrong. */

import { type ParsedObject, type ParseFailure, parseObject } from '../json/parse-object.ts';
import { fail, type Result } from '../result.ts';

/** Why bytes are not an event's payload. */
export type PayloadFailure =
  | ParseFailure
  | { readonly reason: 'not_utf8' }
  | { readonly reason: 'not_json_media_type' };

// Fatal, so that a wrong byte is refused and not replaced; a byte order mark is dropped (RFC 8259 section 8.1).
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });

/**
 * Reads the payload.
 *
 * @param contentType - The Content-Type header. It makes a difference only when the bytes are not JSON.
 */
export function readPayload(bytes: Uint8Array, contentType: string | null): Result<ParsedObject, PayloadFailure> {
  const text = decode(bytes);
  const payload = text === undefined ? fail({ reason: 'not_utf8' } as const) : parseObject(text);
  if (payload.ok) return payload;
  const isNoJson = payload.error.reason === 'not_utf8' || payload.error.reason === 'malformed';
  return isNoJson && saysItIsNotJson(contentType) ? fail({ reason: 'not_json_media_type' }) : payload;
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/** Whether a media type (RFC 6838) is named and is none of `…/json` and `…+json`. */
function saysItIsNotJson(contentType: string | null): boolean {
  const mediaType = contentType?.split(';', 1)[0]?.trim() ?? '';
  return /^[^/\s]+\/[^/\s]+$/.test(mediaType) && !/[/+]json$/i.test(mediaType);
}
