/** The result of handling a request, from which the response is made. */

import type { KnownSender } from '../senders/sender.ts';
import type { BuiltEvent } from './build-event.ts';
import type { Kept } from './keep-refused.ts';
import type { StoredIn } from './make-durable.ts';
import type { Refusal } from './refusal.ts';

interface Accepted {
  readonly kind: 'accepted';
  readonly event: BuiltEvent;
  /** The store that has the event. */
  readonly storedIn: StoredIn;
}

interface Checked {
  readonly kind: 'checked';
  readonly event: BuiltEvent;
}

/** The result of one event of a batch. For a refused event, `storedIn` is the store that has its body. */
export type EventResult =
  | Accepted
  | Checked
  | { readonly kind: 'refused'; readonly refusal: Refusal; readonly storedIn?: StoredIn | undefined };

/**
 * The result of a request. `sender` is set once the token has been checked. `kept` says where the body of a refused
 * request is stored.
 */
export type Outcome =
  | { readonly kind: 'options' }
  | ((Accepted | Checked) & { readonly sender: KnownSender })
  | {
      readonly kind: 'batch';
      readonly sender: KnownSender;
      readonly results: readonly EventResult[];
      /** The number of messages that the queues confirmed. */
      readonly queued: number;
    }
  | {
      readonly kind: 'refused';
      readonly sender?: KnownSender | undefined;
      readonly refusal: Refusal;
      readonly kept?: Kept | undefined;
    };

export function refuse(refusal: Refusal, sender?: KnownSender, kept?: Kept): Outcome {
  return { kind: 'refused', refusal, sender, kept };
}
