/**
 * A queue as its documentation describes it: at least once, in no order, retries after a delay, a dead-letter queue after
 * so many deliveries, and gone after 14 days. Everything happens at once; that calls are slow and fail is added around it. Pure.
 */

/** A message that is not acknowledged. */
export interface ModelMessage {
  readonly id: string;
  readonly body: unknown;
  readonly enqueuedAt: number;
  attempts: number;
  /** From when on it can be delivered; infinity while it is. */
  availableAt: number;
  /** When a reading of the metrics counted it last, with an age. */
  countedAt: number;
}

/** How long a message is kept, in milliseconds (Queues, Limits). In the dead-letter queue that time begins anew. */
const RETENTION_MS = 14 * 86_400_000;

/** Who is told of every change. */
export interface QueueWatcher {
  onEnter(message: ModelMessage): void;
  onLeave(message: ModelMessage): void;
}

/** A queue. */
export class ModelQueue {
  readonly messages = new Map<string, ModelMessage>();
  watcher: QueueWatcher | undefined;
  readonly #name: string;
  readonly #maxDeliveries: number;
  readonly #deadLetters: ModelQueue | undefined;
  #sent = 0;

  /** @param maxDeliveries - How often a message is delivered, which is `max_retries` and one more. */
  constructor(name: string, maxDeliveries: number, deadLetters?: ModelQueue) {
    this.#name = name;
    this.#maxDeliveries = maxDeliveries;
    this.#deadLetters = deadLetters;
  }

  send(body: unknown, now: number): void {
    this.#sent += 1;
    const id = `${this.#name}-${this.#sent}`;
    const message = { id, body, enqueuedAt: now, attempts: 0, availableAt: now, countedAt: now };
    this.messages.set(id, message);
    this.watcher?.onEnter(message);
  }

  /** What can be delivered now; what is too old is gone. */
  available(now: number): ModelMessage[] {
    for (const { id, enqueuedAt } of [...this.messages.values()]) {
      if (now - enqueuedAt > RETENTION_MS) this.acknowledge(id);
    }
    return [...this.messages.values()].filter(({ availableAt }) => availableAt <= now);
  }

  /** Takes messages for delivery. */
  deliver(messages: readonly ModelMessage[]): void {
    for (const message of messages) {
      message.attempts += 1;
      message.availableAt = Number.POSITIVE_INFINITY;
    }
  }

  acknowledge(id: string): void {
    const message = this.messages.get(id);
    if (message === undefined) return;
    this.messages.delete(id);
    this.watcher?.onLeave(message);
  }

  /** Delivers a message again at a time, or moves it to the dead-letter queue when it was delivered often enough. */
  retry(id: string, at: number, now: number): void {
    const message = this.messages.get(id);
    if (message === undefined) return;
    if (message.attempts < this.#maxDeliveries) {
      message.availableAt = at;
      return;
    }
    this.#deadLetters?.send(message.body, now);
    this.acknowledge(id);
  }
}
