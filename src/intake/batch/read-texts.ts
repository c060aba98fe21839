/** The body of a batch to the texts of its events. */

import { Buffer, isUtf8 } from 'node:buffer';
import { MAX_BATCH_BYTES } from '../../contract/endpoint.ts';
import { fail, type Result } from '../../result.ts';
import { decodeBody } from '../decode-body.ts';
import { decodeText } from '../decode-text.ts';
import { readBody } from '../read-body.ts';
import { faultOfText, saysItIsNotJson } from '../read-payload.ts';
import type { Refusal } from '../refusal.ts';
import { splitBatch } from './split-batch.ts';

/** Reads, decodes and splits a batch. */
export async function readTexts(request: Request): Promise<Result<readonly string[], Refusal>> {
  const body = decodeBody(await readBody(request, MAX_BATCH_BYTES), MAX_BATCH_BYTES);
  if (!body.ok) return body;
  const contentType = request.headers.get('Content-Type');
  const text = decodeLargeText(body.value, contentType);
  const fault = faultOfText(body.value, text);
  if (fault !== undefined || text === undefined) return fail({ reason: fault ?? 'not_utf8' });
  return splitBatch(text, saysItIsNotJson(contentType));
}

/** Does what {@link decodeText} does, several times as fast where the text is UTF-8 and more than ASCII. */
function decodeLargeText(bytes: Uint8Array, contentType: string | null): string | undefined {
  // Most UTF-16 could be UTF-8 as well.
  if (!isUtf8(bytes) || /utf-16/i.test(contentType ?? '')) return decodeText(bytes, contentType);
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}
