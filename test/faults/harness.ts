/** The service between real stores that fail at random, and the account of what it promised. */

import { createExecutionContext } from 'cloudflare:test';
import type { Env } from '../../src/config.ts';
import { endpoint } from '../../src/intake/route.ts';
import { CONSUMER_FAULTS, consumeUnder, type Put } from './consumer-faults.ts';
import { type Random, seeded } from './random.ts';
import { LIMITED, type Prepared, prepare } from './requests.ts';
import { type Behaviour, behave, chooseBehaviour, STORES_NOTHING } from './store-faults.ts';
import type { VirtualTime } from './virtual-time.ts';

/** A request that was answered. */
export interface Answered extends Prepared {
  readonly status: number;
  readonly eventId: string | undefined;
  /** From the first store that was asked to the answer, in milliseconds of virtual time. */
  readonly waitedMs: number;
  /** How the stores that were asked behaved. */
  readonly behaviours: readonly Behaviour[];
}

/** Messages that may wait when the next requests are sent: the local queue breaks at about 10,000. */
const MAX_QUEUED = 2_000;
/** Messages in the largest of the batches that real ones are cut into. */
const LARGEST_BATCH = 20;
/** How long anything may still be tried or be at work after the last answer, in milliseconds of virtual time. */
const AFTERMATH_MS = 45_000;

/** Sets the service up on the bindings of `env`. */
export function startHarness(env: Cloudflare.Env, time: VirtualTime) {
  const answered: Answered[] = [];
  /** The text of each object when it was written. */
  const written = new Map<string, string>();
  /** Keys that were written more than once. */
  const overwritten: string[] = [];
  /** Lines that the queue has taken, and that are neither in R2 yet nor acknowledged, which would be too early. */
  const queued = new Set<string>();
  const consumerRandom = seeded(0);
  const { SENDER_RATE: _, WRONG_TOKEN_RATE: __, ...unlimited } = env;
  const apiTokens = JSON.stringify({
    [LIMITED.name]: { tokens: [LIMITED.token], integrations: [LIMITED.integration] },
  });

  /** Writes for real, and keeps the books. */
  const put: Put = async (key, value, options) => {
    const object = await env.BUCKET.put(key, value, options);
    if (object === null) return null;
    if (written.has(key)) overwritten.push(key);
    const text = await new Response(value as string).text();
    written.set(key, text);
    for (const line of text.split('\n')) queued.delete(line);
    return object;
  };

  async function sendOne(prepared: Prepared, random: Random): Promise<void> {
    const behaviours: Behaviour[] = [];
    let asked: number | undefined;
    const ask = <Value>(percentGood: number, operation: () => Promise<Value>) => {
      asked ??= time.now();
      const behaviour = chooseBehaviour(random, percentGood);
      behaviours.push(behaviour);
      return behave(behaviour, operation, random, time);
    };
    const queue = (binding: Queue<string>) => ({
      send: (line: string) =>
        ask(40, async () => {
          queued.add(line.trimEnd());
          await binding.send(line, { contentType: 'text' });
        }),
    });
    const stores = {
      EVENTS: Object.assign(Object.create(env.EVENTS), queue(env.EVENTS)),
      REJECTED: Object.assign(Object.create(env.REJECTED), queue(env.REJECTED)),
      BUCKET: Object.assign(Object.create(env.BUCKET), {
        put: (...args: Parameters<Put>) => ask(50, () => put(...args)),
      }),
    };
    const faulty: Env = { ...unlimited, API_TOKENS: apiTokens, ...stores };
    const response = await endpoint(prepared.request, faulty, createExecutionContext());
    const waitedMs = asked === undefined ? 0 : time.now() - asked;
    const { response: accepted } = await response.json<{ response?: { event_id: string } }>();
    answered.push({ ...prepared, status: response.status, eventId: accepted?.event_id, waitedMs, behaviours });
  }

  async function drainTo(size: number): Promise<void> {
    while (queued.size > size) await time.breathe(20);
  }

  return {
    answered,
    written,
    overwritten,
    /** Handles a batch that the real queue delivers. */
    async deliver(batch: MessageBatch): Promise<void> {
      for (const messages of cut(batch.messages, consumerRandom)) {
        const fault = consumerRandom.chance(50) ? CONSUMER_FAULTS[0] : consumerRandom.pick(CONSUMER_FAULTS);
        const acknowledged = await consumeUnder(fault, batch.queue, messages, env, put, consumerRandom);
        for (const { body } of acknowledged) queued.delete(String(body).trimEnd());
      }
    },
    /** Sends so many requests at once and waits for the answers. */
    async send(seed: number, requests: number): Promise<void> {
      const random = seeded(seed);
      const running = Array.from({ length: requests }, (_, number) =>
        sendOne(prepare(`mark-${seed}-${number}-`, env.API_TOKEN, random), random),
      );
      await time.passUntil(Promise.all(running));
      await time.passUntil(time.after(AFTERMATH_MS));
      await drainTo(MAX_QUEUED);
    },
    /** Waits until the queue has nothing more to deliver. */
    drain: () => drainTo(0),
  };
}

/** Cuts a batch into smaller ones, as a queue with less to deliver would, so that more of them meet a fault. */
function cut(messages: readonly Message[], random: Random): Message[][] {
  const batches: Message[][] = [];
  for (let at = 0; at < messages.length; ) {
    const size = random.int(1, LARGEST_BATCH);
    batches.push(messages.slice(at, at + size));
    at += size;
  }
  return batches;
}

/** Whether no store that was asked did anything at all. */
export function nothingWasStored({ behaviours }: Answered): boolean {
  return behaviours.every((behaviour) => STORES_NOTHING.includes(behaviour));
}
