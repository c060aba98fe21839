/** The responses, all of one make. */

import { ALLOWED_METHODS } from '../contract/endpoint.ts';
import { commonHeaders, respond } from '../respond.ts';
import type { Accepted } from './accept.ts';
import type { Outcome } from './outcome.ts';
import { describe } from './problem.ts';

/**
 * Puts an outcome into a response.
 *
 * @param url - The address that was asked; each problem type has one beside it.
 */
export function answer(outcome: Outcome, requestId: string, url: string): Response {
  switch (outcome.kind) {
    case 'options':
      return new Response(null, { status: 204, headers: { ...commonHeaders(requestId), Allow: ALLOWED_METHODS } });
    case 'accepted':
      return respond(202, 'application/json', success(outcome.accepted), requestId, { 'x-durable-path': outcome.path });
    case 'checked':
      return respond(200, 'application/json', wouldBe(outcome.checked), requestId);
    case 'refused': {
      const { status, slug, title, detail, headers, errors } = describe(outcome.refusal);
      const type = new URL(`/problems/${slug}`, url).href;
      const problem = { type, title, status, detail, request_id: requestId, ...(errors && { errors }) };
      return respond(status, 'application/problem+json', problem, requestId, headers);
    }
  }
}

function success({ eventId, receivedAt, warnings }: Accepted): object {
  return { status: 'success', response: { event_id: eventId, received_at: receivedAt.toISOString(), warnings } };
}

/** The row as it would be stored: the one answer that holds what was sent, to whoever has just sent it. */
function wouldBe({ line, warnings }: Accepted): object {
  return { status: 'success', response: { stored: false, warnings, row: JSON.parse(line) } };
}
