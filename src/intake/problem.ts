/** Refusals as problem details (RFC 9457). No text here holds anything that was sent. */

import { ALLOWED_METHODS, BATCH_PATH, ENDPOINT_PATH } from '../contract/endpoint.ts';
import type { Breach } from '../contract/normalise.ts';
import { type Wrapping, wrappingOf } from '../contract/wrapping.ts';
import { CHECK_WORDS } from '../http/check-only.ts';
import { PROBLEM_TYPES, type ProblemSlug } from '../http/problem-types.ts';
import { describeSyntax } from './describe-syntax.ts';
import { describeFault, type FieldError } from './field-error.ts';
import { RATE_PERIOD_SECONDS, RETRY_AFTER_SECONDS } from './limits.ts';
import type { Refusal } from './refusal.ts';

/** What an answer says about a refusal. */
export interface Problem {
  readonly status: number;
  readonly slug: ProblemSlug;
  readonly title: string;
  /** What is wrong with this request, and what to do about it. */
  readonly detail: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly errors?: readonly FieldError[];
}

const TRY_AGAIN = { 'Retry-After': String(RETRY_AFTER_SECONDS) };
const RATE_OVER = { 'Retry-After': String(RATE_PERIOD_SECONDS) };

/** What type of problem each refusal is. */
const SLUGS: Readonly<Record<Refusal['reason'], ProblemSlug>> = {
  not_found: 'not-found',
  method_not_allowed: 'method-not-allowed',
  not_configured: 'unavailable',
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

/** The type of problem that a refusal is. */
export function problemTypeOf({ reason }: Refusal): Pick<Problem, 'slug' | 'status' | 'title'> {
  const slug = SLUGS[reason];
  return { slug, ...PROBLEM_TYPES[slug] };
}

/** Describes a refusal. */
export function problemOf(refusal: Refusal): Problem {
  return { ...problemTypeOf(refusal), ...explain(refusal) };
}

function explain(refusal: Refusal): Explanation {
  switch (refusal.reason) {
    case 'not_found':
      return explained(`Send events to ${ENDPOINT_PATH}; the address is case-sensitive`);
    case 'method_not_allowed':
      return explained('Send events with POST', { Allow: ALLOWED_METHODS });
    case 'not_configured':
      return explained(
        'The service cannot read its tokens; tell its operator, and send the event again later',
        TRY_AGAIN,
      );
    case 'unauthorized':
      return explained(
        'Looked for a bearer token in the headers Authorization and Authentication, and found none that is valid; send the header Authorization: Bearer, followed by a blank and your token',
        { 'WWW-Authenticate': 'Bearer' },
      );
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
        'Content-Type says that the body is not JSON, and it is not; send one JSON object as application/json',
      );
    case 'body_too_large':
      return explained(`The body is larger than ${refusal.limitBytes} bytes; send one event a request`);
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
    case 'not_utf8':
      return explained(
        'The body is not UTF-8; encode it as UTF-8, or declare its encoding in Content-Type, such as charset=iso-8859-1',
      );
    case 'empty':
      return explained('The body is empty; send one JSON object');
    case 'malformed':
      return explained(
        `The body stops being JSON at line ${refusal.line}, column ${refusal.column} (character ${refusal.offset}): ${describeSyntax(refusal.fault)}`,
      );
    case 'not_an_object':
      return explained(`The body is JSON, but its top level is ${TOP_LEVELS[refusal.found]}`);
    case 'invalid_event':
      return { detail: summary(refusal.breach), errors: refusal.breach.faults.map(describeFault) };
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

type Explanation = Pick<Problem, 'detail' | 'headers' | 'errors'>;

function explained(detail: string, headers?: Problem['headers']): Explanation {
  return { detail, ...(headers && { headers }) };
}

const TOP_LEVELS = {
  array: `an array; send one object a request, or the array to ${BATCH_PATH}`,
  string: 'a string; send the object itself, encoded as JSON once',
  number: 'a number; send one object',
  boolean: 'a boolean; send one object',
  null: 'null; send one object',
} as const;

const WRAPPINGS: Readonly<Record<Wrapping, string>> = {
  object: 'The fields lie one level down; send the inner object as the body',
  list: `The fields lie in a list inside of the body; send one event a request, or the list to ${BATCH_PATH}`,
  text: 'The fields lie in a string inside of the body; send the inner object as the body, encoded as JSON once',
};

function summary(breach: Breach): string {
  const { faults } = breach;
  const wrapping = wrappingOf(breach);
  const cannotBeUsed =
    faults.length === 1
      ? 'One required field cannot be used; see errors'
      : `${faults.length} required fields cannot be used; see errors`;
  return wrapping === undefined ? cannotBeUsed : `${cannotBeUsed}. ${WRAPPINGS[wrapping]}`;
}
