/** How a request ended, before it is put into a response. */

import type { KnownSender } from '../senders/sender.ts';
import type { AuthenticationFailure } from './authenticate.ts';
import type { BuiltEvent, EventFailure } from './build-event.ts';
import type { Kept } from './keep-refused.ts';
import type { DurabilityFailure, DurablePath } from './make-durable.ts';

/** Why a request is refused, with the facts that the answer states. */
export type Refusal =
  | AuthenticationFailure
  | { readonly reason: 'too_many_requests' }
  | { readonly reason: 'unclear_check' }
  | EventFailure
  | DurabilityFailure
  | { readonly reason: 'not_found' }
  | { readonly reason: 'method_not_allowed' }
  | { readonly reason: 'broken' };

/**
 * The end of a request. `sender` is known once the token has been checked; `kept` says where the body of a refused
 * request is.
 */
export type Outcome =
  | { readonly kind: 'options' }
  | {
      readonly kind: 'accepted';
      readonly sender: KnownSender;
      readonly accepted: BuiltEvent;
      readonly path: DurablePath;
    }
  | { readonly kind: 'checked'; readonly sender: KnownSender; readonly checked: BuiltEvent }
  | { readonly kind: 'refused'; readonly sender?: KnownSender; readonly refusal: Refusal; readonly kept?: Kept };

/** Refuses a request. */
export function refuse(refusal: Refusal, sender?: KnownSender, kept?: Kept): Outcome {
  return { kind: 'refused', refusal, ...(sender !== undefined && { sender }), ...(kept !== undefined && { kept }) };
}
