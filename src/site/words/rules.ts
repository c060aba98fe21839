/** The rules of sending, worded once for the page and the OpenAPI document. Code is in backticks. Pure. */

import { MAX_BATCH_BYTES, MAX_BATCH_EVENTS } from '../../contract/endpoint.ts';
import { COLUMNS } from '../../contract/row.ts';
import { MAX_BODY_BYTES } from '../../intake/limits.ts';

/** The maximum body size, for display. */
export const MAX_BODY = `${MAX_BODY_BYTES / 1024} KiB`;

/** The maximum batch size, for display. */
export const MAX_BATCH = `${MAX_BATCH_BYTES / 1_048_576} MiB`;

/** Each rule as one paragraph. */
export const RULES = {
  purpose: 'Property management systems send one request for each reservation event.',
  promise:
    'A 202 is a promise: the event is stored in a durable place. A sender whose client takes nothing but 200 for a success can be set to get 200 instead, with the same answer: the operator adds `"accepted_status": 200` to the entry of the sender.',
  sendAgain:
    'Send again on 429, on any 5xx, when the connection breaks, and when nothing comes for 5 seconds. Wait as long as `Retry-After` says; without it 1 second, then twice as long each time up to 15 minutes, for at least a day. Never on another 4xx: the same bytes get the same answer.',
  repeats:
    'Give every delivery an `Idempotency-Key` and keep it for all attempts. Repeats are accepted and stored. Readers of the events tell them apart by that key, and by a fingerprint of the content.',
  required: 'Without any of the required fields, or with a value that cannot be used, the event is refused with 422.',
  optional:
    'An optional value that cannot be used never costs the event: its column is null, the value as sent is kept in `extra`, and a warning names it. Fields that are not listed are kept in `extra` as well.',
  check:
    'With `?check` everything is done but storing: the same token, the same checks, the same refusals. A good event is answered with 200, the row as it would be stored, and the names that were not recognised.',
  batch: `A batch has up to ${MAX_BATCH_EVENTS.toLocaleString('en')} events, together at most ${MAX_BATCH} once decoded, as NDJSON or as an array, plain or with \`Content-Encoding: gzip\`. Each is checked and answered as if it had come alone, in the order of the batch; one that is refused does not affect the others.`,
  batchKeys:
    'To give an event a key of its own, send `{"idempotency_key": "…", "event": {…}}` in its place. For every other event, an `Idempotency-Key` of the batch becomes `KEY/POSITION`, counted from 0.',
  openness: 'Members, columns, problem types and codes may be added to answers; ignore those that you do not know.',
  row: `One accepted event: ${COLUMNS.length} columns, always all present, null when absent.`,
  token:
    'Send `Bearer`, a blank, and your token in the header `Authorization`, or in `Authentication`, as the contract spells it. When both hold a bearer token, the one in `Authentication` counts.',
} as const;
