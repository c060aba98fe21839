/** Refusals as problem details (RFC 9457). No text here holds anything that was sent. */

import { ALLOWED_METHODS, BATCH_PATH, ENDPOINT_PATH } from '../contract/endpoint.ts';
import type { Breach } from '../contract/normalise.ts';
import { unknownNamesOf, type Wrapping, wrappingOf } from '../contract/wrapping.ts';
import { CHECK_WORDS } from '../http/check-only.ts';
import { PROBLEM_TYPES, type ProblemSlug } from '../http/problem-types.ts';
import { describeSyntax } from './describe-syntax.ts';
import { describeFault, type FieldError } from './field-error.ts';
import { RATE_PERIOD_SECONDS, RETRY_AFTER_SECONDS } from './limits.ts';
import type { Refusal } from './refusal.ts';

export interface Problem {
  readonly status: number;
  readonly slug: ProblemSlug;
  readonly title: string;
  /** What is wrong with this request, and what to do about it. */
  readonly detail: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly errors?: readonly FieldError[];
  /** Names that are none of the contract, where a required one is missing: the first of them, that look like names. */
  readonly unknownFields?: readonly string[];
}

const TRY_AGAIN = { 'Retry-After': String(RETRY_AFTER_SECONDS) };
const CHALLENGE = { 'WWW-Authenticate': 'Bearer' };
const RATE_OVER = { 'Retry-After': String(RATE_PERIOD_SECONDS) };

const SLUGS: Readonly<Record<Refusal['reason'], ProblemSlug>> = {
  without_tls: 'https-required',
  not_found: 'not-found',
  method_not_allowed: 'method-not-allowed',
  not_configured: 'unavailable',
  no_token: 'unauthorized',
  unauthorized: 'unauthorized',
  too_many_wrong_tokens: 'too-many-requests',
  too_many_requests: 'too-many-requests',
  unclear_check: 'unclear-check',
  unsupported_encoding: 'unsupported-encoding',
  not_json_media_type: 'unsupported-media-type',
  body_too_large: 'too-large',
  too_many_events: 'too-large',
  line_too_large: 'too-large',
  incomplete: 'malformed-body',
  unreadable_gzip: 'malformed-body',
  undeclared_gzip: 'malformed-body',
  undeclared_utf16: 'malformed-body',
  not_utf8: 'malformed-body',
  empty: 'malformed-body',
  malformed: 'malformed-body',
  not_an_object: 'malformed-body',
  invalid_event: 'invalid-event',
  forbidden_role: 'forbidden-role',
  forbidden_integration: 'forbidden-integration',
  stores_refused: 'unavailable',
  stores_timed_out: 'unavailable',
  broken: 'unavailable',
};

export function problemTypeOf({ reason }: Refusal): Pick<Problem, 'slug' | 'status' | 'title'> {
  const slug = SLUGS[reason];
  return { slug, ...PROBLEM_TYPES[slug] };
}

/** What a refusal is about: a request with one event, a whole batch, or one event of a batch. */
export type Refused = 'request' | 'batch' | 'event';

export function problemOf(refusal: Refusal, refused: Refused = 'request'): Problem {
  return { ...problemTypeOf(refusal), ...explain(refusal, refused) };
}

function explain(refusal: Refusal, refused: Refused): Explanation {
  const text = NOUNS[refused];
  switch (refusal.reason) {
    case 'without_tls':
      return explained(
        'The request came over http, where everybody on the way can read it; send to the address with https, and ask the operator for another token',
      );
    case 'not_found':
      return explained(`Send events to ${ENDPOINT_PATH}; the address is case-sensitive`);
    case 'method_not_allowed':
      return explained('Send events with POST', { Allow: ALLOWED_METHODS });
    case 'not_configured':
      return explained(
        'The service cannot read its tokens; tell its operator, and send the event again later',
        TRY_AGAIN,
      );
    case 'no_token':
      return explained(
        'Neither Authentication nor Authorization holds a bearer token; send the header Authorization once: the word Bearer, a blank, and your token, with nothing around it',
        CHALLENGE,
      );
    case 'unauthorized':
      return explained('The bearer token is not valid; compare it with the one that you were given', CHALLENGE);
    case 'too_many_wrong_tokens':
      return explained('Too many wrong tokens came from this address; correct the token, then send again', RATE_OVER);
    case 'too_many_requests':
      return explained(
        'More events came with this token than it may send in a minute; send this one again later',
        RATE_OVER,
      );
    case 'unclear_check':
      return explained(
        `The parameter check has a value that is none of ${CHECK_WORDS.check.slice(1).join(', ')} and ${CHECK_WORDS.store.join(', ')}; nothing is stored`,
      );
    case 'unsupported_encoding':
      return explained('Send the body as it is or with Content-Encoding: gzip', {
        'Accept-Encoding': 'gzip',
      });
    case 'not_json_media_type':
      return explained(
        `Content-Type says that the ${text} is not JSON, and it is not; send ${WANTED[refused]} as application/json`,
      );
    case 'body_too_large':
      return explained(`The ${text} is larger than ${refusal.limitBytes} bytes; ${SMALLER[refused]}`);
    case 'too_many_events':
      return explained(`The batch has more than ${refusal.limit} events; send them in several batches`);
    case 'line_too_large':
      return explained(
        `The event is larger than ${refusal.limitBytes} bytes when it is stored; shorten its longest texts`,
      );
    case 'incomplete':
      return explained('The body ended too early; send it whole');
    case 'unreadable_gzip':
      return explained('Content-Encoding says gzip, but the body is not one whole gzip stream');
    case 'undeclared_gzip':
      return explained('The body is compressed with gzip; declare it with Content-Encoding: gzip');
    case 'undeclared_utf16':
      return explained(
        'The body is UTF-16 and nothing says so; encode it as UTF-8, or declare charset=utf-16 in Content-Type',
      );
    case 'not_utf8':
      return explained(
        'The body is not UTF-8; encode it as UTF-8, or declare its encoding in Content-Type, such as charset=iso-8859-1',
      );
    case 'empty':
      return explained(`The ${text} ${refused === 'batch' ? 'holds no events' : 'is empty'}; send ${WANTED[refused]}`);
    case 'malformed':
      return explained(
        `The ${text} stops being JSON at line ${refusal.line}, column ${refusal.column} (character ${refusal.offset}): ${describeSyntax(refusal.fault, refused !== 'request')}`,
      );
    case 'not_an_object':
      return explained(
        `The ${text} is JSON, but its top level is ${refused === 'event' && refusal.found === 'array' ? IN_ARRAY : TOP_LEVELS[refusal.found]}`,
      );
    case 'invalid_event':
      return describeBreach(refusal.breach);
    case 'forbidden_role':
      return explained('The token is not for this address; use one of another role, or ask the operator');
    case 'forbidden_integration':
      return explained(
        'The token may not send for this IntegrationId; use the token of that integration, or ask the operator',
      );
    case 'stores_refused':
    case 'stores_timed_out':
      return explained('The event could not be stored; send it again later', TRY_AGAIN);
    case 'broken':
      return explained('The service failed to handle the request; send it again later', TRY_AGAIN);
  }
}

type Explanation = Pick<Problem, 'detail' | 'headers' | 'errors' | 'unknownFields'>;

function explained(detail: string, headers?: Problem['headers']): Explanation {
  return { detail, ...(headers && { headers }) };
}

const NOUNS: Readonly<Record<Refused, string>> = { request: 'body', batch: 'batch', event: 'event' };

const WANTED: Readonly<Record<Refused, string>> = {
  request: 'one JSON object',
  batch: 'one JSON object a line, or an array of them',
  event: 'one JSON object',
};

const SMALLER: Readonly<Record<Refused, string>> = {
  request: 'send one event a request',
  batch: 'send fewer events at once',
  event: 'shorten its longest texts',
};

const IN_ARRAY = 'an array; put the events themselves into the array of the batch';

const TOP_LEVELS = {
  array: `an array; send one object a request, or the array to ${BATCH_PATH}`,
  string: 'a string; send the object itself, encoded as JSON once',
  number: 'a number; send one object',
  boolean: 'a boolean; send one object',
  null: 'null; send one object',
} as const;

const WRAPPINGS: Readonly<Record<Wrapping, string>> = {
  object: 'The fields lie one level down; send the inner object as the body',
  deeper: 'The fields lie several levels down; send the innermost object as the body',
  list: `The fields lie in a list inside of the body; send one event a request, or the list to ${BATCH_PATH}`,
  text: 'The fields lie in a string inside of the body; send the inner object as the body, encoded as JSON once',
};

function describeBreach(breach: Breach): Explanation {
  const { faults } = breach;
  const errors = faults.map(describeFault);
  const wrapping = wrappingOf(breach);
  const cannotBeUsed =
    faults.length === 1
      ? 'One required field cannot be used; see errors'
      : `${faults.length} required fields cannot be used; see errors`;
  if (wrapping !== undefined) return { detail: `${cannotBeUsed}. ${WRAPPINGS[wrapping]}`, errors };
  const { names, more } = unknownNamesOf(breach);
  if (names.length === 0) return { detail: cannotBeUsed, errors };
  const beyond = more === 0 ? '' : `, and ${more} more`;
  const detail = `${cannotBeUsed}. The names in unknown_fields are none of the contract${beyond}; compare them with those that are missing`;
  return { detail, errors, unknownFields: names };
}
