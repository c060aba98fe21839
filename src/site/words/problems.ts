/** The explanation of each problem type, for those who receive it. Pure. */

import { FIELD_BY_COLUMN, type Field } from '../../contract/fields.ts';
import type { ProblemSlug } from '../../http/problem-types.ts';
import { MAX_BODY_BYTES } from '../../intake/limits.ts';
import type { Refusal } from '../../intake/refusal.ts';
import { RULES } from './rules.ts';

/** The explanation of a problem type. */
export interface Explanation {
  /** What happened. */
  readonly cause: string;
  /** What to do, step by step, the most frequent cause first. */
  readonly remedy: readonly string[];
  /** Whether the body is kept for the operator; by default it is not. */
  readonly kept?: true;
  /** A refusal of this type, whose real answer is shown. */
  readonly sample: Refusal;
}

export const EXPLANATIONS: Readonly<Record<ProblemSlug, Explanation>> = {
  'malformed-body': {
    cause: 'The body could not be read as exactly one JSON object in UTF-8. The detail says where reading stopped.',
    remedy: [
      'Let a JSON library write the body. Text put together by hand breaks at the first quote or line break in a name.',
      'Send one event a request: an object at the top level, not an array, and not several objects one after another.',
      'Encode the body as UTF-8, and send it whole: Content-Length has to count bytes, not characters.',
      'If you set Content-Encoding: gzip, compress the body once, and do compress it.',
    ],
    kept: true,
    sample: { reason: 'malformed', fault: 'comma_missing', offset: 61, line: 3, column: 17 },
  },
  'unclear-check': {
    cause: 'The address has the parameter check with a value that says neither yes nor no. Nothing was read or stored.',
    remedy: [
      'To have an event checked and nothing stored, end the address in ?check.',
      'To have it stored, leave the parameter out.',
    ],
    sample: { reason: 'unclear_check' },
  },
  unauthorized: {
    cause:
      'The request carries no bearer token, or one that is not valid; the detail says which of the two and no more. The body was not read.',
    remedy: [
      RULES.token,
      'Check that the token is the one for this environment, and that it was copied whole.',
      'Send the header once. Two headers of the same name arrive as one, which is no token.',
    ],
    sample: { reason: 'unauthorized' },
  },
  'https-required': {
    cause:
      'The request came over http, so that its token and whatever it held could be read on the way. Nothing was read or stored.',
    remedy: [
      'Write the address with https in the configuration of the system that sends.',
      'Ask the operator for another token: this one has been shown.',
      'Send the event again.',
    ],
    sample: { reason: 'without_tls' },
  },
  'forbidden-role': {
    cause: 'The token is good, but not for this address: events are posted by senders, the table is read by readers.',
    remedy: [
      'Use the token that you were given for what you want to do.',
      'Ask the operator for a token of the other kind if you have none.',
    ],
    sample: { reason: 'forbidden_role' },
  },
  'forbidden-integration': {
    cause: 'The token is good, but it may not send for the IntegrationId in the event.',
    remedy: [
      'Check that IntegrationId is the one you were given, letter by letter.',
      'Use the token of that integration: a system that serves several may have mixed them up.',
      'Ask the operator to add the integration to your token if it is new, then send the event again.',
    ],
    kept: true,
    sample: { reason: 'forbidden_integration' },
  },
  'not-found': {
    cause: 'There is nothing at the address to which the request went.',
    remedy: [
      'Compare the address letter by letter. Capitals count; one slash at the end does not.',
      'Look for a doubled path: many clients add the path to a base address that has it already.',
    ],
    sample: { reason: 'not_found' },
  },
  'method-not-allowed': {
    cause: 'The address is right, the method is not. Events are sent with POST.',
    remedy: [
      'Send events with POST.',
      'If you do, look for a redirect on the way, from http to https above all: many clients turn POST into GET when they follow one.',
    ],
    sample: { reason: 'method_not_allowed' },
  },
  'too-large': {
    cause: `The event is larger than can be taken: ${MAX_BODY_BYTES.toLocaleString('en')} bytes for the body once it is decoded.`,
    remedy: [
      'Send one event a request. A full event is about one kilobyte.',
      'Look for documents, pictures or a whole history among the fields that are not in the contract.',
    ],
    kept: true,
    sample: { reason: 'body_too_large', limitBytes: MAX_BODY_BYTES },
  },
  'unsupported-encoding': {
    cause: 'Content-Encoding names a compression that is not supported.',
    remedy: ['Send the body as it is, or compressed with gzip and Content-Encoding: gzip.'],
    kept: true,
    sample: { reason: 'unsupported_encoding' },
  },
  'unsupported-media-type': {
    cause: 'The body is not JSON, and Content-Type says so too: a form, XML, or plain text.',
    remedy: ['Send one JSON object, with Content-Type: application/json.'],
    kept: true,
    sample: { reason: 'not_json_media_type' },
  },
  'invalid-event': {
    cause:
      'The body is a JSON object, but a required field is missing or cannot be used. All faults are listed at once; an optional field is never among them.',
    remedy: [
      'Go through errors. Each names the field, its place in the body (pointer), a code for programs and, where there are only a few, the allowed values.',
      'Correct the mapping in your system, then send the event again. It was not stored as an event.',
      'Try it here with “check only”, which stores nothing.',
    ],
    kept: true,
    sample: {
      reason: 'invalid_event',
      breach: {
        errors: [sampleError('event_type', 'not_allowed'), sampleError('end_utc', 'missing')],
        payload: {},
      },
    },
  },
  'too-many-requests': {
    cause:
      'More events came with this token than it may send in a minute, or too many wrong tokens came from this address. The limit for events is generous; a loop reaches it sooner than a hotel.',
    remedy: [
      'Wait for the seconds that Retry-After names, then send the same event again.',
      'Send at an even pace: spread what has piled up over some minutes.',
      'If the detail speaks of wrong tokens, correct the token first. Every attempt with a wrong one counts.',
    ],
    sample: { reason: 'too_many_requests' },
  },
  unavailable: {
    cause: 'The event could not be stored durably within four seconds, so it was not accepted.',
    remedy: [
      'Send the same event again after the seconds that Retry-After names, and keep trying: wait longer each time, for at least a day.',
      'Use the same Idempotency-Key for each attempt, so that a repeat can be recognised.',
    ],
    sample: { reason: 'stores_timed_out' },
  },
};

/** An example error of a required field. */
export function sampleError(column: string, code: 'not_allowed' | 'missing') {
  const field: Field | undefined = FIELD_BY_COLUMN.get(column);
  if (field === undefined) throw new Error(`Cannot show a fault of ${column}: it is not a column`);
  return { field, sentAs: field.wire, code };
}
