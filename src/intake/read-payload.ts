/** Bytes to one JSON object. */

import { type ParsedObject, parsePlainly } from '../json/parse-plainly.ts';
import { ok, type Result } from '../result.ts';
import { decodeUtf8 } from './decode-strictly.ts';
import { readOddPayload } from './read-odd-payload.ts';
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
