/** Why a request is refused, and the facts that the answer states. */

import type { AcceptFailure } from './accept.ts';
import type { AuthenticationFailure } from './authenticate.ts';
import type { DurabilityFailure } from './make-durable.ts';

/** A refusal, by its reason. */
export type Refusal =
  | AuthenticationFailure
  | { readonly reason: 'too_many_requests' }
  | AcceptFailure
  | DurabilityFailure
  | { readonly reason: 'not_found' }
  | { readonly reason: 'method_not_allowed' }
  | { readonly reason: 'broken' };
