/** The reasons for refusing a request. */

import type { Breach } from '../contract/normalise.ts';
import type { ParseFailure } from '../json/parse-object.ts';

/** The reasons that need no further facts. */
export type PlainReason =
  | 'without_tls'
  | 'not_found'
  | 'method_not_allowed'
  | 'not_configured'
  | 'no_token'
  | 'unauthorized'
  | 'too_many_wrong_tokens'
  | 'too_many_requests'
  | 'unclear_check'
  | 'unsupported_encoding'
  | 'unreadable_gzip'
  | 'incomplete'
  | 'not_utf8'
  | 'undeclared_gzip'
  | 'undeclared_utf16'
  | 'not_json_media_type'
  | 'forbidden_role'
  | 'forbidden_integration'
  | 'stores_refused'
  | 'stores_timed_out'
  | 'broken';

/** Every reason, with the facts that the answer states. */
export type Refusal =
  | { readonly reason: PlainReason }
  | { readonly reason: 'body_too_large' | 'line_too_large'; readonly limitBytes: number }
  | { readonly reason: 'too_many_events'; readonly limit: number }
  | ParseFailure
  | { readonly reason: 'invalid_event'; readonly breach: Breach };
