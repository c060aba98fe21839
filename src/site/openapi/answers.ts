/** The answers as schemas, from which the OpenAPI document is generated. Pure. */

import * as v from 'valibot';
import { timestamp } from '../../contract/kinds.ts';
import { RowSchema } from '../../contract/row.ts';
import { PROBLEM_TYPES } from '../../http/problem-types.ts';
import { ALL_WARNING_MEANINGS, FAULT_MEANINGS } from '../words/codes.ts';

const warnings = v.pipe(
  v.array(v.pipe(v.string(), v.regex(new RegExp(`^[a-z_]+:(?:${Object.keys(ALL_WARNING_MEANINGS).join('|')})$`)))),
  v.description('What was odd about the event, each as `column:code`. Empty when nothing was.'),
);

/** 202: the event is stored. */
export const AcceptedSchema = v.strictObject({
  status: v.literal('success'),
  response: v.strictObject({
    event_id: v.pipe(RowSchema.entries.event_id, v.description('The id under which the event is stored.')),
    received_at: v.pipe(timestamp, v.description('When the event was accepted.')),
    warnings,
  }),
});

/** 200: the event would be stored; nothing was. */
export const CheckedSchema = v.strictObject({
  status: v.literal('success'),
  response: v.strictObject({
    stored: v.pipe(v.literal(false), v.description('Nothing is stored, whatever the outcome of the check.')),
    warnings,
    row: RowSchema,
  }),
});

const FieldErrorSchema = v.strictObject({
  field: v.pipe(v.string(), v.description('The name of the field in the contract.')),
  pointer: v.pipe(
    v.string(),
    v.startsWith('/'),
    v.description('Where in the body the value is, or should be (JSON Pointer, RFC 6901).'),
  ),
  code: v.pipe(v.picklist(Object.keys(FAULT_MEANINGS)), v.description('What is wrong, for programs.')),
  detail: v.pipe(v.string(), v.description('What is wrong, for people.')),
  allowed: v.optional(v.pipe(v.array(v.string()), v.description('The only values that may be sent.'))),
});

/** Every refusal (RFC 9457). */
export const ProblemSchema = v.strictObject({
  type: v.pipe(
    v.string(),
    v.regex(new RegExp(`^/problems/(?:${Object.keys(PROBLEM_TYPES).join('|')})$`)),
    v.description('Identifies the problem. The address opens its explanation.'),
  ),
  title: v.pipe(
    v.picklist([...new Set(Object.values(PROBLEM_TYPES).map(({ title }) => title))]),
    v.description('The same for every refusal of this type.'),
  ),
  status: v.pipe(
    v.picklist([...new Set(Object.values(PROBLEM_TYPES).map(({ status }) => status))]),
    v.description('The HTTP status.'),
  ),
  detail: v.pipe(v.string(), v.description('What is wrong with this request, and what to do about it.')),
  request_id: v.pipe(
    v.string(),
    v.uuid(),
    v.description('Quote it when you ask the operator; also in `x-request-id`.'),
  ),
  errors: v.optional(v.pipe(v.array(FieldErrorSchema), v.minLength(1), v.description('Every fault, at once.'))),
});
