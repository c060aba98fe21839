/** An outcome as an HTTP response. */

import { ALLOWED_METHODS } from '../contract/endpoint.ts';
import { fieldMeant } from '../contract/names.ts';
import { commonHeaders, respond, respondWithProblem } from '../http/respond.ts';
import type { BuiltEvent } from './build-event.ts';
import type { Outcome } from './outcome.ts';
import { problemOf } from './problem.ts';

/** Puts an outcome into a response. */
export function answer(outcome: Outcome, requestId: string): Response {
  switch (outcome.kind) {
    case 'options':
      return new Response(null, { status: 204, headers: { ...commonHeaders(requestId), Allow: ALLOWED_METHODS } });
    case 'accepted': {
      const { sender, accepted, path } = outcome;
      const status = sender.acceptedStatus ?? 202;
      return respond(status, 'application/json', success(accepted), requestId, { 'x-durable-path': path });
    }
    case 'checked':
      return respond(200, 'application/json', wouldBe(outcome.checked), requestId);
    case 'refused': {
      const { slug, detail, headers, errors } = problemOf(outcome.refusal);
      return respondWithProblem(slug, detail, requestId, headers, errors);
    }
  }
}

function success({ eventId, receivedAt, warnings }: BuiltEvent): object {
  return { status: 'success', response: { event_id: eventId, received_at: receivedAt.toISOString(), warnings } };
}

/**
 * The row as it would be stored, and the names that were not recognised: the one answer that holds what was sent, to
 * the sender that has just sent it.
 */
function wouldBe({ line, warnings }: BuiltEvent): object {
  const row = JSON.parse(line);
  // Beside unknown fields, `extra` holds values of known ones that were set aside.
  const unknown = Object.keys(JSON.parse(row.extra ?? '{}')).filter((name) => fieldMeant(name) === undefined);
  return { status: 'success', response: { stored: false, warnings, unknown_fields: unknown, row } };
}
