/** Every answer to a POST, with an example produced by the code that answers. Pure. */

import { MEANINGS } from '../../contract/meanings.ts';
import { COLUMNS } from '../../contract/row.ts';
import { PROBLEM_TYPES, type ProblemSlug } from '../../http/problem-types.ts';
import { problemDetails } from '../../http/respond.ts';
import { problemOf } from '../../intake/problem.ts';
import type { Refusal } from '../../intake/refusal.ts';
import { EXPLANATIONS } from '../words/problems.ts';
import { headers } from './headers.ts';

const REQUEST_ID = '7d0f6a52-64c2-4b0e-9f5d-3e1c8a2b9d47';

/** The answer to a stored event. */
export const ACCEPTED = {
  status: 'success',
  response: {
    event_id: MEANINGS.event_id.example,
    received_at: MEANINGS.received_at.example,
    warnings: MEANINGS.warnings.example,
  },
};

/** The answer to an event that was only checked. */
export const CHECKED = {
  status: 'success',
  response: {
    stored: false,
    warnings: MEANINGS.warnings.example,
    unknown_fields: Object.keys(JSON.parse(MEANINGS.extra.example)),
    row: Object.fromEntries(COLUMNS.map((column) => [column, MEANINGS[column].example])),
  },
};

/** The responses of the operation that sends an event, by status. */
export const RESPONSES: Readonly<Record<string, object>> = {
  200: {
    description:
      'Checked only: the event would be stored, nothing was. To a sender that takes no 202: the event is stored durably.',
    headers: headers(['x-stored-in']),
    content: {
      'application/json': {
        schema: { anyOf: [{ $ref: '#/components/schemas/Checked' }, { $ref: '#/components/schemas/Accepted' }] },
        examples: {
          checked: { summary: 'Checked only', value: CHECKED },
          accepted: { summary: 'Stored, to a sender that takes no 202', value: ACCEPTED },
        },
      },
    },
  },
  202: {
    description: 'The event is stored durably.',
    // Nearly every request gets this answer, so it has no header without a use.
    headers: { 'x-stored-in': { $ref: '#/components/headers/x-stored-in' } },
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Accepted' }, example: ACCEPTED } },
  },
  ...Object.fromEntries(refusals()),
};

/** One response per status, with one example per problem type. */
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

/**
 * The body of a refusal, as the service writes it.
 *
 * @param refusal - A refusal of this type; by default, the one that explains it.
 */
export function exampleProblem(slug: ProblemSlug, refusal: Refusal = EXPLANATIONS[slug].sample) {
  const { detail, slug: _, headers: __, ...facts } = problemOf(refusal);
  return problemDetails(slug, detail, { request_id: REQUEST_ID, ...facts });
}
