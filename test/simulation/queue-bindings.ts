/** The queues as the Worker sees them: sending, and what they say of themselves. */

import type { ModelMessage, ModelQueue } from './model-queue.ts';
import type { Network } from './network.ts';
import { MINUTE_MS } from './profile.ts';
import type { Actor } from './world.ts';

/** A reading of the metrics: what it has counted with an age. */
interface Reading {
  counted: readonly ModelMessage[];
}

/** The way to the queues. */
export class QueueBindings {
  readonly #network: Network;
  /** The last reading of each queue by a run, until it is written down: those that are lost say nothing. */
  readonly #readings = new WeakMap<Actor, Map<ModelQueue, Reading>>();

  constructor(network: Network) {
    this.#network = network;
  }

  /** A run has written down what it has read last. */
  remember(actor: Actor): void {
    for (const { counted } of this.#readings.get(actor)?.values() ?? []) {
      for (const message of counted) message.countedAt = this.#network.world.now;
    }
  }

  /** A queue, of which an actor sends and reads the metrics. */
  queue(actor: Actor, model: ModelQueue, unseenMs: (message: ModelMessage) => number = UNSEEN_MS.queue) {
    const call = <Value>(effect: () => Value) => this.#network.call(actor, this.#network.profile.queueOutages, effect);
    return {
      send: (body: unknown) => call(() => this.#send(model, body)),
      sendBatch: (messages: Iterable<{ readonly body: unknown }>) =>
        call(() => {
          for (const { body } of messages) this.#send(model, body);
        }),
      metrics: () => {
        const reading: Reading = { counted: [] };
        const readings = this.#readings.get(actor) ?? new Map<ModelQueue, Reading>();
        this.#readings.set(actor, readings.set(model, reading));
        return call(() => this.#read(model, unseenMs, reading));
      },
    };
  }

  #send(model: ModelQueue, body: unknown): void {
    const { calm, profile, world } = this.#network;
    if (!calm && model.messages.size >= profile.queueCapacity) throw new Error('Storage Limit Exceeded');
    model.send(body, world.now);
  }

  /**
   * The metrics of a queue, as bad as they may be: a message is left out of readings, or its age is, for as long as
   * `unseenMs` says, from when it came or from when a reading counted it with its age.
   */
  #read(model: ModelQueue, unseenMs: (message: ModelMessage) => number, reading: Reading) {
    const { calm, profile, world } = this.#network;
    const { random, now } = world;
    const lies = profile.metricsLie && !calm;
    const due = (message: ModelMessage) => !lies && now - message.countedAt >= unseenMs(message);
    const messages = [...model.messages.values()].filter(
      (message) => calm || due(message) || !(lies || random.chance(profile.hidePercent)),
    );
    const unlucky = random.chance(profile.agelessPercent) && !messages.some(due);
    const ageless = !calm && (unlucky || this.#network.isDown(profile.ageOutages));
    if (messages.length === 0) return { backlogCount: 0, backlogBytes: 0 };
    if (ageless) return { backlogCount: messages.length, backlogBytes: 1, oldestMessageTimestamp: new Date(0) };
    reading.counted = messages;
    const oldest = Math.min(...messages.map(({ enqueuedAt }) => enqueuedAt));
    return { backlogCount: messages.length, backlogBytes: 1, oldestMessageTimestamp: new Date(oldest) };
  }
}

/** For how long a message may go uncounted: no longer than a retry is delayed, with its jitter. In milliseconds. */
export const UNSEEN_MS = {
  queue: () => RETRY_MS,
  // The first delays of a dead letter are short.
  deadLetters: ({ countedAt, enqueuedAt }: ModelMessage) =>
    countedAt === enqueuedAt ? RETRY_MS : DEAD_LETTER_RETRY_MS,
} as const;

const RETRY_MS = 16.5 * MINUTE_MS;
const DEAD_LETTER_RETRY_MS = 264 * MINUTE_MS;
