/** How a request ended, before it is put into a response. */

import type { KnownSender } from '../senders/sender.ts';
import type { BuiltEvent } from './build-event.ts';
import type { Kept } from './keep-refused.ts';
import type { StoredIn } from './make-durable.ts';
import type { Refused } from './problem.ts';
import type { Refusal } from './refusal.ts';

/** What became of one event of a batch; `storedIn` is the store that has the event, or the body of a refused one. */
export type EventResult =
  | { readonly kind: 'accepted'; readonly event: BuiltEvent; readonly storedIn: StoredIn }
  | { readonly kind: 'checked'; readonly event: BuiltEvent }
  | { readonly kind: 'refused'; readonly refusal: Refusal; readonly storedIn?: StoredIn | undefined };

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
      readonly storedIn: StoredIn;
    }
  | { readonly kind: 'checked'; readonly sender: KnownSender; readonly checked: BuiltEvent }
  | {
      readonly kind: 'batch';
      readonly sender: KnownSender;
      readonly results: readonly EventResult[];
      /** The messages in which the queues have confirmed what was sent. */
      readonly queued: number;
    }
  | {
      readonly kind: 'refused';
      readonly refused: Exclude<Refused, 'event'>;
      readonly sender?: KnownSender;
      readonly refusal: Refusal;
      readonly kept?: Kept;
    };

export function refuse(refusal: Refusal, sender?: KnownSender, kept?: Kept): Outcome {
  return {
    kind: 'refused',
    refused: 'request',
    refusal,
    ...(sender !== undefined && { sender }),
    ...(kept !== undefined && { kept }),
  };
}

export function refuseBatch(refusal: Refusal, sender?: KnownSender): Outcome {
  return { kind: 'refused', refused: 'batch', refusal, ...(sender !== undefined && { sender }) };
}
