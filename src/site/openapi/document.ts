/** The OpenAPI 3.1 document of the endpoint, generated from the contract. Pure. */

import { ENDPOINT_PATH } from '../../contract/endpoint.ts';
import { jsonSchemaOf } from '../../contract/json-schema.ts';
import { CHECK_WORDS } from '../../http/check-only.ts';
import { EXAMPLES } from '../words/examples.ts';
import { AcceptedSchema, CheckedSchema, ProblemSchema } from './answers.ts';
import { eventSchema, rowSchema } from './event.ts';
import { HEADERS, RESPONSES } from './responses.ts';

const DESCRIPTION = `Property management systems send one request for each reservation event.

A **202** means that the event is stored durably. A **4xx** means that the event was not accepted and that the same
request will never be; mend it first. A **429** or **503**, no answer within 5 seconds, or a broken connection mean: send
the same event again later, with the same \`Idempotency-Key\`. Repeats are accepted and can be told apart by their
fingerprint.

Required fields are checked strictly. Everything else is taken tolerantly: a value that had to be changed or set aside is
named in \`warnings\` and the event is stored all the same.`;

/** Builds the document. Addresses in it are relative, so that it fits every place the service runs at. */
export function openApiDocument(version: string): object {
  return {
    openapi: '3.1.1',
    info: {
      title: 'Reservation event intake',
      version,
      summary: 'Takes the reservation events of property management systems',
      description: DESCRIPTION,
    },
    servers: [{ url: '/', description: 'The service that serves this document' }],
    externalDocs: { url: '/', description: 'The same to read, and to try' },
    tags: [{ name: 'Events', description: 'What happens to reservations' }],
    security: [{ authentication: [] }, { authorization: [] }],
    paths: { [ENDPOINT_PATH]: { post: sendOperation(), options: optionsOperation() } },
    components: {
      schemas: {
        ReservationEvent: eventSchema(),
        Row: rowSchema(),
        Accepted: jsonSchemaOf(AcceptedSchema),
        Checked: checkedSchema(),
        Problem: jsonSchemaOf(ProblemSchema),
      },
      headers: HEADERS,
      securitySchemes: {
        authentication: {
          type: 'apiKey',
          in: 'header',
          name: 'Authentication',
          description: '`Bearer`, a blank, and the token. This is the contract’s own spelling of the header.',
        },
        authorization: {
          type: 'http',
          scheme: 'bearer',
          description: 'The usual header; it is read when `Authentication` is absent.',
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
    description: 'Takes one event of at most 64 KiB, plain or with `Content-Encoding: gzip`.',
    parameters: [
      {
        name: 'check',
        in: 'query',
        description:
          'Check only: the same authentication and the same checks, answered with 200 and the row as it would be stored. Nothing is stored at all. Words are taken in any case; any other value is refused.',
        allowEmptyValue: true,
        schema: { type: 'string', enum: [...CHECK_WORDS.check, ...CHECK_WORDS.store] },
      },
      {
        name: 'Idempotency-Key',
        in: 'header',
        description:
          'Your own name of the delivery, the same for each attempt. `webhook-id` is read when it is absent.',
        schema: { type: 'string' },
        example: 'ntf-8812-1',
      },
    ],
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

function optionsOperation(): object {
  return {
    operationId: 'listMethods',
    tags: ['Events'],
    summary: 'Ask which methods are allowed',
    security: [],
    responses: {
      204: {
        description: 'The methods are in `Allow`.',
        headers: {
          'x-request-id': { $ref: '#/components/headers/RequestId' },
          Allow: { $ref: '#/components/headers/Allow' },
        },
      },
      '4XX': {
        description: 'The request is not one that the endpoint takes.',
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    },
  };
}

/** The answer to a check, with the row by reference. */
function checkedSchema(): object {
  const { properties: { response, ...properties } = {}, ...checked } = jsonSchemaOf(CheckedSchema);
  const { properties: inner, ...rest } = Object(response);
  return {
    ...checked,
    properties: {
      ...properties,
      response: { ...rest, properties: { ...inner, row: { $ref: '#/components/schemas/Row' } } },
    },
  };
}
