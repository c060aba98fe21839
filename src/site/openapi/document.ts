/** The OpenAPI 3.1 document of the endpoint, generated from the contract. Pure. */

import { BATCH_PATH, ENDPOINT_PATH } from '../../contract/endpoint.ts';
import { jsonSchemaOf } from '../../contract/json-schema.ts';
import { EXAMPLES } from '../words/examples.ts';
import { MAX_BODY, RULES } from '../words/rules.ts';
import { AcceptedSchema, BatchAnswerSchema, CheckedSchema, ProblemSchema } from './answers.ts';
import { batchOperation } from './batch.ts';
import { eventSchema, rowSchema } from './event.ts';
import { HEADERS, headers, PARAMETERS } from './headers.ts';
import { RESPONSES } from './responses.ts';

const DESCRIPTION = [RULES.purpose, RULES.promise, RULES.sendAgain, RULES.repeats, RULES.optional, RULES.openness].join(
  '\n\n',
);

/** Builds the document. Its addresses are relative, so that it is valid wherever the service runs. */
export function openApiDocument(version: string): object {
  return {
    openapi: '3.1.1',
    info: {
      title: 'Reservation event intake',
      version,
      summary: 'Takes the reservation events of property management systems',
      description: DESCRIPTION,
      contact: { name: 'The operator who gave you the token' },
    },
    servers: [{ url: '/', description: 'The service that serves this document' }],
    tags: [
      {
        name: 'Events',
        description: 'What happens to reservations. [The page of the service](/) explains it, with a place to try it.',
      },
    ],
    security: [{ authorization: [] }, { authentication: [] }],
    paths: {
      [ENDPOINT_PATH]: { post: sendOperation(), options: optionsOperation('listMethods') },
      [BATCH_PATH]: { post: batchOperation(), options: optionsOperation('listBatchMethods') },
    },
    components: {
      schemas: {
        ReservationEvent: eventSchema(),
        Row: rowSchema(),
        Accepted: jsonSchemaOf(AcceptedSchema),
        Checked: jsonSchemaOf(CheckedSchema),
        BatchAnswer: jsonSchemaOf(BatchAnswerSchema),
        Problem: jsonSchemaOf(ProblemSchema),
      },
      headers: HEADERS,
      securitySchemes: {
        authorization: { type: 'http', scheme: 'bearer', description: RULES.token },
        authentication: {
          type: 'apiKey',
          in: 'header',
          name: 'Authentication',
          description: RULES.token,
        },
      },
    },
  };
}

function sendOperation(): object {
  return {
    operationId: 'sendReservationEvent',
    tags: ['Events'],
    summary: 'Send one reservation event',
    description: `Takes one event of at most ${MAX_BODY}, plain or with \`Content-Encoding: gzip\`.`,
    parameters: PARAMETERS,
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/ReservationEvent' },
          examples: Object.fromEntries(
            EXAMPLES.map(({ eventType, summary, event }) => [eventType, { summary, value: event }]),
          ),
        },
      },
    },
    responses: RESPONSES,
  };
}

function optionsOperation(operationId: string): object {
  return {
    operationId,
    tags: ['Events'],
    summary: 'Ask which methods are allowed',
    description: 'Needs no token.',
    security: [],
    responses: {
      204: {
        description: 'The methods are in `Allow`.',
        headers: headers(['Allow']),
      },
      403: {
        description: 'The request did not come over HTTPS.',
        headers: headers([]),
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    },
  };
}
