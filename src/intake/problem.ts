/** Describes refusals as problem details (RFC 9457). No text here contains anything that was sent. */

import { ALLOWED_METHODS, BATCH_PATH, ENDPOINT_PATH } from '../contract/endpoint.ts';
import type { Breach } from '../contract/normalise.ts';
import { unknownNamesOf, type Wrapping, wrappingOf } from '../contract/wrapping.ts';
import { CHECK_WORDS } from '../http/check-only.ts';
import { PROBLEM_TYPES, type ProblemSlug } from '../http/problem-types.ts';
import type { SyntaxFault } from '../json/syntax-error.ts';
import { type DescribedError, describeFieldError } from './field-error.ts';
import { RATE_PERIOD_SECONDS, RETRY_AFTER_SECONDS } from './limits.ts';
import type { PlainReason, Refusal } from './refusal.ts';

export interface Problem {
  readonly slug: ProblemSlug;
  /** What is wrong with this request, and how to correct it. */
  readonly detail: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly errors?: readonly DescribedError[];
  /** Unknown names, when a required field is missing: the first of those that look like names. */
  readonly unknown_fields?: readonly string[];
}

const TRY_AGAIN = { 'Retry-After': String(RETRY_AFTER_SECONDS) };
const CHALLENGE = { 'WWW-Authenticate': 'Bearer' };
const RATE_OVER = { 'Retry-After': String(RATE_PERIOD_SECONDS) };

/** What a refusal refers to: a request with one event, a whole batch, or one event of a batch. */
export type Refused = 'request' | 'batch' | 'event';

/** The problem type and its status, without the description of a breach of the contract, which may take long. */
export function problemTypeOf(refusal: Refusal): { readonly slug: ProblemSlug; readonly status: number } {
  const slug = refusal.reason === 'invalid_event' ? 'invalid-event' : problemOf(refusal).slug;
  return { slug, status: PROBLEM_TYPES[slug].status };
}

export function problemOf(refusal: Refusal, refused: Refused = 'request'): Problem {
  const text = NOUNS[refused];
  switch (refusal.reason) {
    case 'not_json_media_type':
      return explained(
        'unsupported-media-type',
        `Content-Type says that the ${text} is not JSON, and it is not; send ${WANTED[refused]} as application/json`,
      );
    case 'body_too_large':
      return explained('too-large', `The ${text} is larger than ${refusal.limitBytes} bytes; ${SMALLER[refused]}`);
    case 'too_many_events':
      return explained('too-large', `The batch has more than ${refusal.limit} events; send them in several batches`);
    case 'line_too_large':
      return explained(
        'too-large',
        `The event is larger than ${refusal.limitBytes} bytes when it is stored; shorten its longest texts`,
      );
    case 'empty': {
      const what = refused === 'batch' ? 'holds no events' : 'is empty';
      return explained('malformed-body', `The ${text} ${what}; send ${WANTED[refused]}`);
    }
    case 'malformed': {
      const { line, column, offset, fault } = refusal;
      const what = refused !== 'request' && fault === 'text_after_the_end' ? ONE_A_LINE : SYNTAX[fault];
      const place = `line ${line}, column ${column} (character ${offset})`;
      return explained('malformed-body', `The ${text} stops being JSON at ${place}: ${what}`);
    }
    case 'not_an_object': {
      const what = refused === 'event' && refusal.found === 'array' ? IN_ARRAY : TOP_LEVELS[refusal.found];
      return explained('malformed-body', `The ${text} is JSON, but its top level is ${what}`);
    }
    case 'invalid_event':
      return describeBreach(refusal.breach);
    default:
      return explained(...FIXED[refusal.reason]);
  }
}

function explained(slug: ProblemSlug, detail: string, headers?: Problem['headers']): Problem {
  return { slug, detail, ...(headers && { headers }) };
}

/** The problems of refusals whose wording is always the same. */
const FIXED: Readonly<Record<Exclude<PlainReason, 'not_json_media_type'>, Parameters<typeof explained>>> = {
  without_tls: [
    'https-required',
    'The request came over http, where everybody on the way can read it; send to the address with https, and ask the operator for another token',
  ],
  not_found: ['not-found', `Send events to ${ENDPOINT_PATH}; the address is case-sensitive`],
  method_not_allowed: ['method-not-allowed', 'Send events with POST', { Allow: ALLOWED_METHODS }],
  not_configured: [
    'unavailable',
    'The service cannot read its tokens; tell its operator, and send the event again later',
    TRY_AGAIN,
  ],
  no_token: [
    'unauthorized',
    'Neither Authentication nor Authorization holds a bearer token; send the header Authorization once: the word Bearer, a blank, and your token, with nothing around it',
    CHALLENGE,
  ],
  unauthorized: [
    'unauthorized',
    'The bearer token is not valid; compare it with the one that you were given',
    CHALLENGE,
  ],
  too_many_wrong_tokens: [
    'too-many-requests',
    'Too many wrong tokens came from this address; correct the token, then send again',
    RATE_OVER,
  ],
  too_many_requests: [
    'too-many-requests',
    'More events came with this token than it may send in a minute; send this one again later',
    RATE_OVER,
  ],
  unclear_check: [
    'unclear-check',
    `The parameter check has a value that is not one of ${CHECK_WORDS.check.slice(1).join(', ')} and ${CHECK_WORDS.store.join(', ')}; nothing is stored`,
  ],
  unsupported_encoding: [
    'unsupported-encoding',
    'Send the body as it is or with Content-Encoding: gzip',
    {
      'Accept-Encoding': 'gzip',
    },
  ],
  incomplete: ['malformed-body', 'The body ended too early; send it whole'],
  unreadable_gzip: ['malformed-body', 'Content-Encoding says gzip, but the body is not one whole gzip stream'],
  undeclared_gzip: ['malformed-body', 'The body is compressed with gzip; declare it with Content-Encoding: gzip'],
  undeclared_utf16: [
    'malformed-body',
    'The body is UTF-16 and nothing says so; encode it as UTF-8, or declare charset=utf-16 in Content-Type',
  ],
  not_utf8: [
    'malformed-body',
    'The body is not UTF-8; encode it as UTF-8, or declare its encoding in Content-Type, such as charset=iso-8859-1',
  ],
  forbidden_role: ['forbidden-role', 'The token is not for this address; use one of another role, or ask the operator'],
  forbidden_integration: [
    'forbidden-integration',
    'The token may not send for this IntegrationId; use the token of that integration, or ask the operator',
  ],
  stores_refused: ['unavailable', 'The event could not be stored; send it again later', TRY_AGAIN],
  stores_timed_out: ['unavailable', 'The event could not be stored; send it again later', TRY_AGAIN],
  broken: ['unavailable', 'The service failed to handle the request; send it again later', TRY_AGAIN],
};

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

function describeBreach(breach: Breach): Problem {
  const { length } = breach.errors;
  const errors = breach.errors.map(describeFieldError);
  const wrapping = wrappingOf(breach);
  const cannotBeUsed =
    length === 1
      ? 'One required field cannot be used; see errors'
      : `${length} required fields cannot be used; see errors`;
  if (wrapping !== undefined) {
    return { slug: 'invalid-event', detail: `${cannotBeUsed}. ${WRAPPINGS[wrapping]}`, errors };
  }
  const { names, more } = unknownNamesOf(breach);
  if (names.length === 0) return { slug: 'invalid-event', detail: cannotBeUsed, errors };
  const beyond = more === 0 ? '' : `, and ${more} more`;
  const detail = `${cannotBeUsed}. The names in unknown_fields are not in the contract${beyond}; compare them with those that are missing`;
  return { slug: 'invalid-event', detail, errors, unknown_fields: names };
}

const ONE_A_LINE = 'something follows where it should end; send one object a line, or one array of objects';

/** What is wrong with a body that is not JSON, and how to correct it. */
const SYNTAX: Readonly<Record<SyntaxFault, string>> = {
  ends_too_early: 'the body ends before the object does; send it whole',
  text_after_the_end: `something follows the object; send one event a request, or several lines to ${BATCH_PATH}`,
  control_character: 'a string holds a line break, a tab or another control character; escape it, such as \\n',
  bad_escape: 'a string holds an escape that JSON does not know; write a backslash as \\\\',
  wrong_quotes: 'JSON takes double quotes only, as in "StartUtc"',
  unquoted_name: 'a name needs double quotes around it',
  unknown_word: 'a word stands where a value belongs; put text in double quotes, or write true, false or null',
  not_a_number: 'NaN and Infinity are not JSON; send null or leave the field out',
  bad_number:
    'a number is not written as JSON wants it; send no sign +, no leading zeros, and a digit on each side of the point, or put it in double quotes',
  comment: 'JSON has no comments; take it out',
  comma_too_many: 'there is a comma too many',
  comma_missing: 'a comma is missing',
  colon_missing: 'a colon is missing behind a name',
  markup: 'it is XML or HTML; send JSON',
  template:
    'two braces stand where a value belongs, as in a template that was not filled in; fill it in before you send',
  unexpected: 'a character stands where it may not',
};
