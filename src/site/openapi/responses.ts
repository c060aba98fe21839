/** Every answer to a POST, with an example made by the code that answers. Pure. */

import { MEANINGS } from '../../contract/meanings.ts';
import { COLUMNS } from '../../contract/row.ts';
import { PROBLEM_TYPES, type ProblemSlug } from '../../http/problem-types.ts';
import { problemOf } from '../../intake/problem.ts';
import { EXPLANATIONS } from '../words/problems.ts';

const REQUEST_ID = '7d0f6a52-64c2-4b0e-9f5d-3e1c8a2b9d47';

/** The headers of answers that are worth knowing. */
export const HEADERS = {
  RequestId: {
    description: 'Identifies the request in the logs of the service.',
    schema: { type: 'string', format: 'uuid' },
  },
  RetryAfter: { description: 'Seconds to wait before the next attempt.', schema: { type: 'integer', minimum: 1 } },
  Allow: { description: 'The methods that are allowed.', schema: { type: 'string' } },
  Authenticate: { description: 'The scheme that is expected.', schema: { type: 'string' } },
  DurablePath: {
    description: 'The store that has confirmed the event.',
    schema: { type: 'string', enum: ['queue', 'r2'] },
  },
  AcceptEncoding: { description: 'The encodings that are supported.', schema: { type: 'string' } },
} as const;

/** The components of headers by the names of the wire. */
const HEADER_NAMES: Readonly<Record<string, keyof typeof HEADERS>> = {
  'Retry-After': 'RetryAfter',
  Allow: 'Allow',
  'WWW-Authenticate': 'Authenticate',
  'Accept-Encoding': 'AcceptEncoding',
  'x-durable-path': 'DurablePath',
};

/** The responses of the operation that sends an event, by status. */
export const RESPONSES: Readonly<Record<string, object>> = {
  200: {
    description: 'Checked only: the event would be stored. Nothing was.',
    headers: headers([]),
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Checked' },
        example: {
          status: 'success',
          response: { stored: false, warnings: MEANINGS.warnings.example, row: exampleRow() },
        },
      },
    },
  },
  202: {
    description: 'The event is stored durably.',
    headers: headers(['x-durable-path']),
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Accepted' },
        example: {
          status: 'success',
          response: {
            event_id: MEANINGS.event_id.example,
            received_at: MEANINGS.received_at.example,
            warnings: MEANINGS.warnings.example,
          },
        },
      },
    },
  },
  ...Object.fromEntries(refusals()),
};

/** One response for each status, with one example for each type of problem. */
function refusals(): [number, object][] {
  const slugs = Object.keys(PROBLEM_TYPES) as ProblemSlug[];
  const byStatus = Map.groupBy(slugs, (slug) => PROBLEM_TYPES[slug].status);
  return Array.from(byStatus, ([status, types]) => [
    status,
    {
      description: types.map((slug) => `[${PROBLEM_TYPES[slug].title}](/problems/${slug}).`).join(' '),
      headers: headers(types.flatMap((slug) => Object.keys(problemOf(EXPLANATIONS[slug].sample).headers ?? {}))),
      content: {
        'application/problem+json': {
          schema: { $ref: '#/components/schemas/Problem' },
          examples: Object.fromEntries(
            types.map((slug) => [slug, { summary: EXPLANATIONS[slug].cause, value: exampleProblem(slug) }]),
          ),
        },
      },
    },
  ]);
}

/** The body of a refusal, as the service writes it. */
export function exampleProblem(slug: ProblemSlug): object {
  const { status, title, detail, errors } = problemOf(EXPLANATIONS[slug].sample);
  const type = `/problems/${slug}`;
  return { type, title, status, detail, request_id: REQUEST_ID, ...(errors && { errors }) };
}

function headers(names: readonly string[]): object {
  const references = names.map((name) => [name, { $ref: `#/components/headers/${HEADER_NAMES[name]}` }]);
  return { 'x-request-id': { $ref: '#/components/headers/RequestId' }, ...Object.fromEntries(references) };
}

function exampleRow(): object {
  return Object.fromEntries(COLUMNS.map((column) => [column, MEANINGS[column].example]));
}
