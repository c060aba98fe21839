/** Splits the body of a batch, NDJSON or one JSON array, into the texts of its events. */

import { MAX_BATCH_BYTES, MAX_BATCH_EVENTS } from '../../contract/endpoint.ts';
import { elementsOf } from '../../json/members.ts';
import { parseObject } from '../../json/parse-object.ts';
import { fail, ok, type Result } from '../../result.ts';
import { decodeBody } from '../decode-body.ts';
import { decodeText } from '../decode-text.ts';
import { readBody } from '../read-body.ts';
import { faultOfText, saysItIsNotJson } from '../read-payload.ts';
import type { Refusal } from '../refusal.ts';

export async function readTexts(request: Request): Promise<Result<readonly string[], Refusal>> {
  const body = decodeBody(await readBody(request, MAX_BATCH_BYTES), MAX_BATCH_BYTES);
  if (!body.ok) return body;
  const contentType = request.headers.get('Content-Type');
  const text = decodeText(body.value, contentType);
  const fault = faultOfText(body.value, text);
  if (fault !== undefined || text === undefined) return fail({ reason: fault ?? 'not_utf8' });
  return splitBatch(text, saysItIsNotJson(contentType));
}

/**
 * Splits a batch. A malformed array is refused as a whole, since it is unclear where its events end. A malformed line
 * of NDJSON counts as an event and is refused alone. Blank lines are ignored. A single object that spans several lines
 * is one event.
 *
 * @param isForeign - Whether the media type is another one. That matters only when no event looks like JSON.
 */
function splitBatch(text: string, isForeign: boolean): Result<readonly string[], Refusal> {
  const events = text.trimStart().startsWith('[') ? arrayElements(text) : ok(eventLines(text));
  if (!events.ok) return events;
  const { length } = events.value;
  if (length === 0) return fail({ reason: 'empty' });
  if (isForeign && !events.value.some((event) => /^\s*[[{]/.test(event)))
    return fail({ reason: 'not_json_media_type' });
  return length > MAX_BATCH_EVENTS ? fail({ reason: 'too_many_events', limit: MAX_BATCH_EVENTS }) : events;
}

function arrayElements(text: string): Result<readonly string[], Refusal> {
  const parsed = parseObject(text);
  if (!parsed.ok && parsed.error.reason === 'malformed') return parsed;
  return ok(elementsOf(text));
}

function eventLines(text: string): readonly string[] {
  const lines = text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map(withoutMark);
  return lines.length > 1 && parseObject(text).ok ? [text] : lines;
}

/** Concatenated files may have a byte order mark before any line. */
function withoutMark(line: string): string {
  return line.startsWith('\ufeff') ? line.slice(1) : line;
}
