/** Sending several events at once: the operation, its body and its answer. Pure. */

import { MAX_BATCH_EVENTS } from '../../contract/endpoint.ts';
import { EXAMPLES } from '../words/examples.ts';
import { sampleError } from '../words/problems.ts';
import { RULES } from '../words/rules.ts';
import { headers, PARAMETERS } from './headers.ts';
import { ACCEPTED, CHECKED, exampleProblem, RESPONSES } from './responses.ts';

const EVENT = { $ref: '#/components/schemas/ReservationEvent' };

/** One event, alone or together with its own key. */
const ELEMENT = {
  anyOf: [
    EVENT,
    {
      type: 'object',
      description: 'The event with its own Idempotency-Key.',
      required: ['event'],
      properties: { idempotency_key: { type: ['string', 'null'] }, event: EVENT },
    },
  ],
};

/** Statuses that refuse a whole batch. A refused event has the status that it would have alone. */
const WHOLE = [400, 401, 404, 405, 413, 415, 429, 503] as const;

/** The operation that sends a batch. */
export function batchOperation(): object {
  const events = EXAMPLES.slice(0, 2).map(({ event }) => event);
  return {
    operationId: 'sendReservationEvents',
    tags: ['Events'],
    summary: `Send up to ${MAX_BATCH_EVENTS} reservation events`,
    description: `${RULES.batch} ${RULES.batchKeys}`,
    parameters: PARAMETERS.filter(({ name }) => name !== 'ce-time'),
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: { type: 'array', minItems: 1, maxItems: MAX_BATCH_EVENTS, items: ELEMENT },
          example: events,
        },
        'application/x-ndjson': {
          schema: { type: 'string', description: 'One JSON object a line.' },
          example: events.map((event) => `${JSON.stringify(event)}\n`).join(''),
        },
      },
    },
    responses: {
      200: answer(
        'Checked only: every event would be stored, nothing was. To a sender that takes no 202: all are stored.',
        [checkedItem],
      ),
      202: answer('Every event is stored durably.', [acceptedItem]),
      207: answer(
        'Some events, or all, are refused; the others are stored durably. Send those with a status of 5xx again.',
        [acceptedItem, refusedItem],
      ),
      ...Object.fromEntries(WHOLE.map((status) => [status, RESPONSES[status]])),
    },
  };
}

/** The answer to a batch of which one event is stored and one is refused. */
export function mixedAnswer(): object {
  return batchAnswer([acceptedItem, refusedItem]);
}

const acceptedItem = { status: 202, ...ACCEPTED.response };

const checkedItem = (({ unknown_fields: _, ...checked }) => ({ status: 200, ...checked }))(CHECKED.response);

const refusedItem = (({ request_id: _, ...problem }) => ({ status: 422, problem }))(
  exampleProblem('invalid-event', {
    reason: 'invalid_event',
    breach: { errors: [sampleError('end_utc', 'missing')], payload: {} },
  }),
);

/** A response with these results as its example. */
function answer(description: string, results: readonly object[]): object {
  return {
    description,
    headers: headers([]),
    content: {
      'application/json': { schema: { $ref: '#/components/schemas/BatchAnswer' }, example: batchAnswer(results) },
    },
  };
}

function batchAnswer(results: readonly object[]): object {
  const refused = results.filter((result) => 'problem' in result).length;
  return {
    status: refused === 0 ? 'success' : 'partial',
    response: { accepted: results.length - refused, refused, results },
  };
}
