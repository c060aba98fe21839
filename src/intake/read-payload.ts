/** Bytes to one JSON object. */

import { parseObject } from '../json/parse-object.ts';
import { type ParsedObject, parsePlainly } from '../json/parse-plainly.ts';
import { fail, ok, type Result } from '../result.ts';
import { decodeText, decodeUtf8 } from './decode-text.ts';
import type { Refusal } from './refusal.ts';

type Payload = Result<ParsedObject, Refusal>;

/**
 * Reads the payload.
 *
 * @param contentType - Reads the Content-Type header. It makes a difference only when the bytes are not JSON in UTF-8:
 * no JSON holds the zero bytes of UTF-16.
 */
export function readPayload(bytes: Uint8Array, contentType: () => string | null): Payload {
  const text = decodeUtf8(bytes);
  const plain = text === undefined ? undefined : parsePlainly(text);
  return plain === undefined ? readOddPayload(bytes, contentType()) : ok(plain);
}

/** How a gzip stream starts (RFC 1952 section 2.3.1). No text does. */
const GZIP_MAGIC = [0x1f, 0x8b] as const;

/**
 * Reads a payload in which something is odd.
 *
 * @param contentType - The Content-Type header. It makes a difference only when the bytes are not JSON in UTF-8.
 */
function readOddPayload(bytes: Uint8Array, contentType: string | null): Result<ParsedObject, Refusal> {
  const text = decodeText(bytes, contentType);
  const fault = faultOfText(bytes, text);
  const payload = text === undefined || fault !== undefined ? fail({ reason: fault ?? 'not_utf8' }) : parseObject(text);
  if (payload.ok) return payload;
  const isNoJson = payload.error.reason === 'not_utf8' || payload.error.reason === 'malformed';
  return isNoJson && saysItIsNotJson(contentType) ? fail({ reason: 'not_json_media_type' }) : payload;
}

/** What keeps bytes from being text, as far as their start tells it. @param text - What they were decoded to. */
export function faultOfText(
  bytes: Uint8Array,
  text: string | undefined,
): 'undeclared_gzip' | 'undeclared_utf16' | 'not_utf8' | undefined {
  if (GZIP_MAGIC.every((byte, at) => bytes[at] === byte)) return 'undeclared_gzip';
  if (isUtf16(bytes) && (text?.slice(0, 2).includes('\0') ?? true)) return 'undeclared_utf16';
  return text === undefined ? 'not_utf8' : undefined;
}

/** Whether a media type (RFC 6838) is named and is neither JSON nor lines of it: `…/json`, `…+json`, `…ndjson`, `…jsonl`. */
export function saysItIsNotJson(contentType: string | null): boolean {
  const mediaType = contentType?.split(';', 1)[0]?.trim() ?? '';
  return /^[^/\s]+\/[^/\s]+$/.test(mediaType) && !/(?:[/+-]|nd)json(?:l|lines|-seq)?$/i.test(mediaType);
}

/** Whether bytes start as JSON does in UTF-16: with a mark, or with one ASCII character in two bytes. */
function isUtf16([first = 1, second = 1]: Uint8Array): boolean {
  return first === 0 || second === 0 || (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
}
