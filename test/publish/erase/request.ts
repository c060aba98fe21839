/** Requests to erase a guest, as the tool makes them, and the search for what is left of the guest afterwards. */

import { env } from 'cloudflare:workers';
import { gunzipSync } from 'node:zlib';
import { v7 } from 'uuid';
import { type ActiveErasures, loadErasures } from '../../../src/guests/active-erasures.ts';
import { createKeyedDigest, keyCheckOf } from '../../../src/guests/digest.ts';
import type { ErasureRequest } from '../../../src/storage/erasure.ts';
import { erasureRequestKey } from '../../../src/storage/keys.ts';
import { readLog } from '../landing.ts';

/** A key for the tests and nothing else. */
export const PSEUDONYM_KEY = 'a key for the tests and nothing else';

/**
 * Asks for a guest to be erased.
 *
 * @param identifiers - By which the guest is recognised, as `identifiersOf()` writes them.
 * @param more - What differs from a search that has found nothing and ended now.
 */
export async function askToErase(
  identifiers: readonly string[],
  more: Partial<ErasureRequest> = {},
): Promise<ErasureRequest> {
  const digest = createKeyedDigest(PSEUDONYM_KEY);
  const now = new Date().toISOString();
  const request: ErasureRequest = {
    erasure_id: v7(),
    requested_at: now,
    received_through: now,
    log_through: (await readLog()).length,
    key_check: keyCheckOf(digest),
    digests: identifiers.map(digest),
    parts: [],
    ...more,
  };
  await env.BUCKET.put(erasureRequestKey(request.erasure_id), JSON.stringify(request));
  return request;
}

/** The requests that are there. */
export async function active(): Promise<ActiveErasures> {
  const erasures = await loadErasures(env.BUCKET, PSEUDONYM_KEY);
  if (erasures === undefined) throw new Error('There is no request to erase a guest');
  return erasures;
}

/**
 * Searches every byte of the bucket for a text: keys, metadata and bodies, as they are and unpacked.
 *
 * @returns The keys where it is.
 */
export async function whereIs(text: string): Promise<string[]> {
  const found: string[] = [];
  const { objects } = await env.BUCKET.list({ include: ['customMetadata', 'httpMetadata'] });
  for (const { key, customMetadata } of objects) {
    const object = await env.BUCKET.get(key);
    const bytes = new Uint8Array((await object?.arrayBuffer()) ?? new ArrayBuffer(0));
    const texts = [...readings(bytes)];
    if ([key, JSON.stringify(customMetadata), ...texts].some((each) => each.includes(text))) found.push(key);
  }
  return found;
}

/** Bytes as text, in every way in which they may be packed. */
function* readings(bytes: Uint8Array, levels = 3): Generator<string> {
  const text = new TextDecoder().decode(bytes);
  yield text;
  yield new TextDecoder('utf-16le').decode(bytes);
  if (levels === 0) return;
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) yield* readings(gunzipSync(bytes), levels - 1);
  for (const [run] of text.matchAll(/[A-Za-z0-9+/]{24,}={0,2}/g)) {
    try {
      yield* readings(Uint8Array.fromBase64(run), levels - 1);
    } catch (error) {
      // What looks like Base64 and is none.
      if (!(error instanceof SyntaxError)) throw error;
    }
  }
}
