/** Bytes to one JSON object. */

import { type ParsedObject, parsePlainly } from '../json/parse-plainly.ts';
import { ok, type Result } from '../result.ts';
import { decodeUtf8 } from './decode-strictly.ts';
import type { Refusal } from './refusal.ts';

type Payload = Result<ParsedObject, Refusal>;

/**
 * Reads the payload.
 *
 * @param contentType - Reads the Content-Type header. It makes a difference only when the bytes are not JSON in UTF-8:
 * no JSON holds the zero bytes of UTF-16.
 */
export function readPayload(bytes: Uint8Array, contentType: () => string | null): Payload | Promise<Payload> {
  const text = decodeUtf8(bytes);
  const plain = text === undefined ? undefined : parsePlainly(text);
  return plain === undefined ? lookCloser(bytes, contentType()) : ok(plain);
}

async function lookCloser(bytes: Uint8Array, contentType: string | null): Promise<Payload> {
  const { readOddPayload } = await import('./read-odd-payload.ts');
  return readOddPayload(bytes, contentType);
}
