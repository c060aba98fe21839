/** How a request ended, before it is put into a response. */

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

/** What became of one event of a batch; `storedIn` of a refused one is the store that has its body. */
export type EventResult =
  | Accepted
  | Checked
  | { readonly kind: 'refused'; readonly refusal: Refusal; readonly storedIn?: StoredIn | undefined };

/**
 * The end of a request. `sender` is known once the token has been checked; `kept` says where the body of a refused
 * request is.
 */
export type Outcome =
  | { readonly kind: 'options' }
  | ((Accepted | Checked) & { readonly sender: KnownSender })
  | {
      readonly kind: 'batch';
      readonly sender: KnownSender;
      readonly results: readonly EventResult[];
      /** The messages in which the queues have confirmed what was sent. */
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
