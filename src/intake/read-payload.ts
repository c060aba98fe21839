/** Turns bytes into one JSON object. */

import { parseObject } from '../json/parse-object.ts';
import { type ParsedObject, parsePlainly } from '../json/parse-plainly.ts';
import { fail, ok, type Result } from '../result.ts';
import { decodeText, decodeUtf8 } from './decode-text.ts';
import type { Refusal } from './refusal.ts';

type Payload = Result<ParsedObject, Refusal>;

/**
 * Reads the payload.
 *
 * @param contentType - Returns the Content-Type header. It matters only when the bytes are not JSON in UTF-8: no JSON
 * contains the zero bytes of UTF-16.
 */
export function readPayload(bytes: Uint8Array, contentType: () => string | null): Payload {
  const text = decodeUtf8(bytes);
  const plain = text === undefined ? undefined : parsePlainly(text);
  return plain === undefined ? readOddPayload(bytes, contentType()) : ok(plain);
}

/** The first bytes of a gzip stream (RFC 1952 section 2.3.1). No text starts with them. */
const GZIP_MAGIC = [0x1f, 0x8b] as const;

/**
 * Reads a payload that the fast path does not handle.
 *
 * @param contentType - The Content-Type header. It matters only when the bytes are not JSON in UTF-8.
 */
function readOddPayload(bytes: Uint8Array, contentType: string | null): Result<ParsedObject, Refusal> {
  const text = decodeText(bytes, contentType);
  const fault = faultOfText(bytes, text);
  const payload = text === undefined || fault !== undefined ? fail({ reason: fault ?? 'not_utf8' }) : parseObject(text);
  if (payload.ok) return payload;
  const isNoJson = payload.error.reason === 'not_utf8' || payload.error.reason === 'malformed';
  return isNoJson && saysItIsNotJson(contentType) ? fail({ reason: 'not_json_media_type' }) : payload;
}

/**
 * Why bytes are not text, judging by their start.
 *
 * @param text - The bytes decoded; undefined when they cannot be.
 */
export function faultOfText(
  bytes: Uint8Array,
  text: string | undefined,
): 'undeclared_gzip' | 'undeclared_utf16' | 'not_utf8' | undefined {
  if (GZIP_MAGIC.every((byte, at) => bytes[at] === byte)) return 'undeclared_gzip';
  if (isUtf16(bytes) && (text?.slice(0, 2).includes('\0') ?? true)) return 'undeclared_utf16';
  return text === undefined ? 'not_utf8' : undefined;
}

/** Whether there is a media type (RFC 6838) other than JSON and JSON lines: `…/json`, `…+json`, `…ndjson`, `…jsonl`. */
export function saysItIsNotJson(contentType: string | null): boolean {
  const mediaType = contentType?.split(';', 1)[0]?.trim() ?? '';
  return /^[^/\s]+\/[^/\s]+$/.test(mediaType) && !/(?:[/+-]|nd)json(?:l|lines|-seq)?$/i.test(mediaType);
}

/** Whether bytes start like JSON in UTF-16: with a byte order mark, or with one ASCII character in two bytes. */
function isUtf16([first = 1, second = 1]: Uint8Array): boolean {
  return first === 0 || second === 0 || (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
}
