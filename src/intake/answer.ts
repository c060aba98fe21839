/** An outcome as an HTTP response. */

import { ALLOWED_METHODS } from '../contract/endpoint.ts';
import { commonHeaders } from '../http/respond.ts';
import { answerCheck } from './answer-check.ts';
import { answerRefusal } from './answer-refusal.ts';
import { answerBatch } from './batch/answer-batch.ts';
import type { BuiltEvent } from './build-event.ts';
import type { Outcome } from './outcome.ts';

/** Puts an outcome into a response. */
export function answer(outcome: Outcome, requestId: string): Response {
  switch (outcome.kind) {
    case 'options':
      return new Response(null, { status: 204, headers: { ...commonHeaders(requestId), Allow: ALLOWED_METHODS } });
    case 'accepted': {
      const { sender, accepted, path } = outcome;
      const status = sender.acceptedStatus ?? 202;
      const lean = path === 'queue' ? JSON_TYPE : JSON_TYPE_AND_PATH;
      // A 200 looks the same whether the event was stored or only checked.
      const headers = status === 202 ? lean : { ...commonHeaders(requestId), ...lean };
      return new Response(success(accepted), { status, headers });
    }
    case 'checked':
      return answerCheck(outcome.checked, requestId);
    case 'batch':
      return answerBatch(outcome.results, outcome.sender, requestId);
    case 'refused':
      return answerRefusal(outcome.refusal, outcome.refused, requestId);
  }
}

/**
 * What an accepted event is answered with, unless its sender takes no 202: no header that serves nobody. The answer to a POST is not cached unless it says
 * so (RFC 9111 section 3), and an accepted event is asked about by its event_id.
 */
const JSON_TYPE = { 'content-type': 'application/json' };
const JSON_TYPE_AND_PATH = { ...JSON_TYPE, 'x-durable-path': 'r2' };

function success({ eventId, receivedAt, warnings }: BuiltEvent): string {
  const response = { event_id: eventId, received_at: receivedAt, warnings };
  return JSON.stringify({ status: 'success', response });
}
