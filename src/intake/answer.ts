/** Turns an outcome into an HTTP response. */

import { ALLOWED_METHODS } from '../contract/endpoint.ts';
import { fieldMeant } from '../contract/names.ts';
import { commonHeaders, problemDetails, respond, respondWithProblem } from '../http/respond.ts';
import type { KnownSender } from '../senders/sender.ts';
import type { BuiltEvent } from './build-event.ts';
import type { EventResult, Outcome } from './outcome.ts';
import { problemOf, type Refused } from './problem.ts';
import type { Refusal } from './refusal.ts';

/** @param refused - What a refusal refers to. */
export function answer(outcome: Outcome, requestId: string, refused: Refused = 'request'): Response {
  switch (outcome.kind) {
    case 'options':
      return new Response(null, { status: 204, headers: { ...commonHeaders(requestId), Allow: ALLOWED_METHODS } });
    case 'accepted': {
      const { sender, event, storedIn } = outcome;
      const status = sender.acceptedStatus ?? 202;
      const lean = storedIn === 'queue' ? JSON_TYPE : JSON_TYPE_IN_R2;
      // A 200 looks the same whether the event was stored or only checked.
      const headers = status === 202 ? lean : { ...commonHeaders(requestId), ...lean };
      return new Response(success(event), { status, headers });
    }
    case 'checked':
      return answerCheck(outcome.event, requestId);
    case 'batch':
      return answerBatch(outcome.results, outcome.sender, requestId);
    case 'refused':
      return answerRefusal(outcome.refusal, refused, requestId);
  }
}

/**
 * The headers of a 202, without any that nobody needs: the answer to a POST is not cached unless it says so (RFC 9111
 * section 3), and event_id takes the place of a request id.
 */
const JSON_TYPE = { 'content-type': 'application/json' };
const JSON_TYPE_IN_R2 = { ...JSON_TYPE, 'x-stored-in': 'r2' };

function success({ eventId, receivedAt, warnings }: BuiltEvent): string {
  const response = { event_id: eventId, received_at: receivedAt, warnings };
  return JSON.stringify({ status: 'success', response });
}

/**
 * Answers with the row as it would be stored, and the unknown names. It is the only answer that contains what was sent,
 * and goes to the sender of it.
 */
export function answerCheck({ line, warnings }: BuiltEvent, requestId: string): Response {
  const row = JSON.parse(line);
  // Besides unknown fields, `extra` holds values of known fields that were set aside.
  const unknown = Object.keys(JSON.parse(row.extra ?? '{}')).filter((name) => fieldMeant(name) === undefined);
  const body = { status: 'success', response: { stored: false, warnings, unknown_fields: unknown, row } };
  return respond(200, 'application/json', body, requestId);
}

function answerRefusal(refusal: Refusal, refused: Refused, requestId: string): Response {
  const { slug, detail, headers, ...facts } = problemOf(refusal, refused);
  return respondWithProblem(slug, detail, requestId, headers, facts);
}

/** The status when not every event was accepted: Multi-Status (RFC 4918 section 11.1). */
const MIXED = 207;

/**
 * Answers with the results in the order of the events: 202 when all were accepted, 200 when all passed a check, else
 * 207. The shape is the same in each case.
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
      const { slug, detail, headers: _, ...facts } = problemOf(result.refusal, 'event');
      const problem = problemDetails(slug, detail, facts);
      return { status: problem.status, problem };
    }
  }
}
