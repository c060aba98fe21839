/** Refusals in the error model of the Iceberg REST catalog specification. No text contains anything that was sent. */

import { respond } from '../http/respond.ts';
import type { Denial } from '../senders/authenticate.ts';

/** Why the catalog refuses a request. */
export type CatalogRefusal =
  | Denial['reason']
  | 'too_many_requests'
  | 'malformed_path'
  | 'no_such_namespace'
  | 'no_such_table'
  | 'no_such_view'
  | 'not_found'
  | 'read_only'
  | 'broken';

interface CatalogError {
  readonly code: number;
  /** The exception that clients raise. */
  readonly type: string;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const CHALLENGE = { 'WWW-Authenticate': 'Bearer' };

const NOT_AUTHORIZED = { code: 401, type: 'NotAuthorizedException', headers: CHALLENGE } as const;
const UNAVAILABLE = { code: 503, type: 'ServiceUnavailableException', headers: { 'Retry-After': '30' } } as const;

const ERRORS: Readonly<Record<CatalogRefusal, CatalogError>> = {
  not_configured: { ...UNAVAILABLE, message: 'The service cannot read its tokens; tell its operator' },
  no_token: {
    ...NOT_AUTHORIZED,
    message: 'No bearer token; send the header Authorization with the token of a reader or an operator',
  },
  unauthorized: { ...NOT_AUTHORIZED, message: 'The bearer token is not valid' },
  too_many_wrong_tokens: {
    code: 429,
    type: 'TooManyRequestsException',
    message: 'Too many wrong tokens came from this address; correct the token',
    headers: { 'Retry-After': '60' },
  },
  too_many_requests: {
    code: 429,
    type: 'TooManyRequestsException',
    message: 'Too many requests came with this token; ask again in a minute',
    headers: { 'Retry-After': '60' },
  },
  forbidden_role: {
    code: 403,
    type: 'ForbiddenException',
    message: 'The token is for sending events; the catalog takes one of a reader or an operator',
  },
  malformed_path: { code: 400, type: 'BadRequestException', message: 'The address is not encoded as one' },
  no_such_namespace: {
    code: 404,
    type: 'NoSuchNamespaceException',
    message: 'There is no such namespace; the only one is "reservations"',
  },
  no_such_table: {
    code: 404,
    type: 'NoSuchTableException',
    message: 'There is no such table; the only one is "reservations.events", once something has been published',
  },
  no_such_view: { code: 404, type: 'NoSuchViewException', message: 'The catalog has no views' },
  not_found: { code: 404, type: 'NotFoundException', message: 'The catalog answers nothing at this address' },
  read_only: {
    code: 406,
    type: 'UnsupportedOperationException',
    message: 'The catalog is read only: the service alone writes its table',
  },
  broken: { ...UNAVAILABLE, message: 'The catalog cannot answer now; ask again later' },
};

/** Answers with a refusal, without a body for HEAD. */
export function refuseRequest(refusal: CatalogRefusal, method: string, requestId: string): Response {
  const { code, type, message, headers } = ERRORS[refusal];
  const response = respond(code, 'application/json', { error: { message, type, code } }, requestId, headers);
  return method === 'HEAD' ? new Response(null, response) : response;
}
