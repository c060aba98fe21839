/** Bytes that are no plain JSON object to what they are. The bytes decide; the media type only helps to say what went wrong. */

import { parseObject } from '../json/parse-object.ts';
import type { ParsedObject } from '../json/parse-plainly.ts';
import { fail, type Result } from '../result.ts';
import { decodeText } from './decode-text.ts';
import type { Refusal } from './refusal.ts';

/** How a gzip stream starts (RFC 1952 section 2.3.1). No text does. */
const GZIP_MAGIC = [0x1f, 0x8b] as const;

/**
 * Reads a payload in which something is odd.
 *
 * @param contentType - The Content-Type header. It makes a difference only when the bytes are not JSON in UTF-8.
 */
export function readOddPayload(bytes: Uint8Array, contentType: string | null): Result<ParsedObject, Refusal> {
  if (GZIP_MAGIC.every((byte, at) => bytes[at] === byte)) return fail({ reason: 'undeclared_gzip' });
  const text = decodeText(bytes, contentType);
  const payload = text === undefined ? fail({ reason: 'not_utf8' } as const) : parseObject(text);
  if (payload.ok) return payload;
  const isNoJson = payload.error.reason === 'not_utf8' || payload.error.reason === 'malformed';
  return isNoJson && saysItIsNotJson(contentType) ? fail({ reason: 'not_json_media_type' }) : payload;
}

/** Whether a media type (RFC 6838) is named and is none of `…/json` and `…+json`. */
function saysItIsNotJson(contentType: string | null): boolean {
  const mediaType = contentType?.split(';', 1)[0]?.trim() ?? '';
  return /^[^/\s]+\/[^/\s]+$/.test(mediaType) && !/[/+]json$/i.test(mediaType);
}
