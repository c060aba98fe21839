/** An outcome as an HTTP response. */

import { ALLOWED_METHODS } from '../contract/endpoint.ts';
import { commonHeaders, respond, respondWithProblem } from '../http/respond.ts';
import type { BuiltEvent } from './build-event.ts';
import type { Outcome } from './outcome.ts';
import { problemOf } from './problem.ts';

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
      const { slug, detail, headers, errors } = problemOf(outcome.refusal);
      return respondWithProblem(slug, detail, requestId, url, headers, errors);
    }
  }
}

function success({ eventId, receivedAt, warnings }: BuiltEvent): object {
  return { status: 'success', response: { event_id: eventId, received_at: receivedAt.toISOString(), warnings } };
}

/** The row as it would be stored: the one answer that holds what was sent, to whoever has just sent it. */
function wouldBe({ line, warnings }: BuiltEvent): object {
  return { status: 'success', response: { stored: false, warnings, row: JSON.parse(line) } };
}
