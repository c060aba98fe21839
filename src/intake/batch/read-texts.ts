/** The body of a batch to the texts of its events. */

import { MAX_BATCH_BYTES } from '../../contract/endpoint.ts';
import { fail, type Result } from '../../result.ts';
import { decodeBody } from '../decode-body.ts';
import { decodeText } from '../decode-text.ts';
import { readBody } from '../read-body.ts';
import { faultOfText, saysItIsNotJson } from '../read-payload.ts';
import type { Refusal } from '../refusal.ts';
import { splitBatch } from './split-batch.ts';

export async function readTexts(request: Request): Promise<Result<readonly string[], Refusal>> {
  const body = decodeBody(await readBody(request, MAX_BATCH_BYTES), MAX_BATCH_BYTES);
  if (!body.ok) return body;
  const contentType = request.headers.get('Content-Type');
  const text = decodeText(body.value, contentType);
  const fault = faultOfText(body.value, text);
  if (fault !== undefined || text === undefined) return fail({ reason: fault ?? 'not_utf8' });
  return splitBatch(text, saysItIsNotJson(contentType));
}
