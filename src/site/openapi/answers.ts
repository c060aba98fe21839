/**
 * The schemas of answers, from which the OpenAPI document is generated. They are open: adding a code, a problem type or
 * a member must not break clients generated before. Pure.
 */

import * as v from 'valibot';
import { timestamp } from '../../contract/kinds.ts';
import { RowSchema } from '../../contract/row.ts';
import { PROBLEM_TYPES } from '../../http/problem-types.ts';
import { ALL_WARNING_MEANINGS, FIELD_ERROR_MEANINGS } from '../words/codes.ts';

const warnings = v.pipe(
  v.array(v.pipe(v.string(), v.regex(/^[a-z_]+:[a-z_\d]+$/))),
  v.description(
    `What was odd about the event, each as \`column:code\`. Empty when nothing was. ${codes(ALL_WARNING_MEANINGS)}`,
  ),
);

/** The event is stored. */
export const AcceptedSchema = v.object({
  status: v.literal('success'),
  response: v.object({
    event_id: v.pipe(RowSchema.entries.event_id, v.description('The id under which the event is stored.')),
    received_at: v.pipe(timestamp, v.description('When the event was accepted.')),
    warnings,
  }),
});

/** Described elsewhere in the document. */
const row = v.pipe(v.unknown(), v.metadata({ $ref: '#/components/schemas/Row' }));

/** The event would be stored; nothing was. */
export const CheckedSchema = v.object({
  status: v.literal('success'),
  response: v.object({
    stored: v.pipe(v.literal(false), v.description('Nothing is stored, whatever the outcome of the check.')),
    warnings,
    unknown_fields: v.pipe(
      v.array(v.string()),
      v.description('The names that were not recognised. Their values are in `extra`.'),
    ),
    row,
  }),
});

const FieldErrorSchema = v.object({
  field: v.pipe(v.string(), v.description('The name of the field in the contract.')),
  pointer: v.pipe(
    v.string(),
    v.startsWith('/'),
    v.description('Where in the body the value is, or should be (JSON Pointer, RFC 6901).'),
  ),
  code: v.pipe(v.string(), v.description(`What is wrong, for programs. ${codes(FIELD_ERROR_MEANINGS)}`)),
  detail: v.pipe(v.string(), v.description('What is wrong, for people.')),
  allowed: v.optional(v.pipe(v.array(v.string()), v.description('The only values that may be sent.'))),
});

/** Every refusal (RFC 9457). */
export const ProblemSchema = v.object({
  type: v.pipe(
    v.string(),
    v.startsWith('/problems/'),
    v.description('Identifies the problem. The address, relative to the service, opens its explanation.'),
    v.examples(Object.keys(PROBLEM_TYPES).map((slug) => `/problems/${slug}`)),
  ),
  title: v.pipe(v.string(), v.description('The same for every refusal of this type.')),
  status: v.pipe(v.number(), v.integer(), v.minValue(400), v.maxValue(599), v.description('The HTTP status.')),
  detail: v.pipe(v.string(), v.description('What is wrong with this request, and what to do about it.')),
  request_id: v.pipe(
    v.string(),
    v.uuid(),
    v.description('Quote it when you ask the operator; also in `x-request-id`.'),
  ),
  errors: v.optional(v.pipe(v.array(FieldErrorSchema), v.minLength(1), v.description('Every fault, at once.'))),
  unknown_fields: v.optional(
    v.pipe(
      v.array(v.string()),
      v.minLength(1),
      v.description('Where a required field is missing: names in the body that are not in the contract.'),
    ),
  ),
});

const status = v.pipe(v.number(), v.integer(), v.description('The status that the event would have had alone.'));
const count = v.pipe(v.number(), v.integer(), v.minValue(0));

/** The answer to a batch, whatever the outcome for its events. */
export const BatchAnswerSchema = v.object({
  status: v.pipe(v.string(), v.description('Whether every event was accepted.'), v.examples(['success', 'partial'])),
  response: v.object({
    accepted: count,
    refused: count,
    results: v.pipe(
      v.array(
        v.union([
          v.object({ status, ...AcceptedSchema.entries.response.entries }),
          v.object({ status, ...v.omit(CheckedSchema.entries.response, ['unknown_fields']).entries }),
          v.object({ status, problem: v.omit(ProblemSchema, ['request_id']) }),
        ]),
      ),
      v.description('In the order of the events.'),
    ),
  }),
});

function codes(meanings: Readonly<Record<string, string>>): string {
  return `The codes so far:\n\n${Object.entries(meanings)
    .map(([code, meaning]) => `- \`${code}\`: ${meaning}`)
    .join('\n')}`;
}
