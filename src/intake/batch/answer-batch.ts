/** The results of a batch as an HTTP response. */

import { respond } from '../../http/respond.ts';
import type { KnownSender } from '../../senders/sender.ts';
import type { EventResult } from '../outcome.ts';
import { problemOf } from '../problem.ts';

/** The status of an answer in which not every event was accepted (RFC 4918 section 11.1 has the name). */
const MIXED = 207;

/**
 * Puts the results into a response, in the order of the events: 202 when all were accepted, 200 when all passed a check,
 * else 207. The shape is the same in each case.
 */
export function answerBatch(results: readonly EventResult[], sender: KnownSender, requestId: string): Response {
  const accepted = sender.acceptedStatus ?? 202;
  const refused = results.filter(({ kind }) => kind === 'refused').length;
  const [first] = results;
  const good = first?.kind === 'checked' ? 200 : accepted;
  const body = {
    status: refused === 0 ? 'success' : 'partial',
    response: {
      accepted: results.length - refused,
      refused,
      results: results.map((result) => describeResult(result, accepted)),
    },
  };
  return respond(refused === 0 ? good : MIXED, 'application/json', body, requestId);
}

function describeResult(result: EventResult, accepted: number): object {
  switch (result.kind) {
    case 'accepted': {
      const { eventId, receivedAt, warnings } = result.event;
      return { status: accepted, event_id: eventId, received_at: receivedAt, warnings };
    }
    case 'checked': {
      const { line, warnings } = result.event;
      return { status: 200, stored: false, warnings, row: JSON.parse(line) };
    }
    case 'refused': {
      const { status, slug, title, detail, errors, unknownFields } = problemOf(result.refusal, 'event');
      const facts = { ...(errors && { errors }), ...(unknownFields && { unknown_fields: unknownFields }) };
      return { status, problem: { type: `/problems/${slug}`, title, status, detail, ...facts } };
    }
  }
}
