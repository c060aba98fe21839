/** Who sends: hotels, whose events come alone and in batches and whose bodies may be refused, and somebody else. */

import type { Stores } from '../../src/intake/make-durable.ts';
import { guestOf, HOTEL } from './guests.ts';
import { invoke, REQUEST_LIMIT_MS } from './invoke.ts';
import type { Isolate } from './isolates.ts';
import type { ModelQueue } from './model-queue.ts';
import type { Stage } from './stage.ts';
import type { Actor } from './world.ts';

/** How many events a batch has at most. */
const MAX_MEMBERS = 4;

/** Senders, and intake from the line on: events that come alone, and in batches. */
export function intake(stage: Stage): void {
  const { world, profile, ledger } = stage;
  for (let event = 0; event < profile.events; ) {
    const members = world.random.chance(profile.batchPercent) ? world.random.int(2, MAX_MEMBERS) : 1;
    const first = event;
    world.after(world.random.int(0, profile.arrivalMs), () => {
      invoke(stage, 'intake', REQUEST_LIMIT_MS, async (code, actor) => {
        const lines = Array.from({ length: members }, (_, at) => receive(stage, code, first + at));
        const background: Promise<unknown>[] = [];
        const stores = storesOf(stage, actor, stage.queue, background);
        if (members === 1) await storeOne(code, lines[0], stores, ledger);
        else {
          const { storedInByPlace } = await code.storeLines(
            'landing',
            lines.map(({ line, partition }, at) => ({ at, line, partition })),
            stores,
          );
          for (const at of storedInByPlace.keys()) acknowledge(ledger, lines[at]);
        }
        await Promise.allSettled(background);
      });
    });
    event += members;
  }
}

interface Received {
  readonly eventId: string;
  readonly receivedAt: Date;
  readonly line: string;
  readonly partition: string;
}

function receive({ world, ledger }: Stage, code: Isolate, event: number): Received {
  const eventId = code.uuidv7();
  const receivedAt = code.timeOf(eventId);
  const guest = guestOf(event);
  const hotel = { integration_id: HOTEL.integration, property_id: HOTEL.property };
  const row = { event_fingerprint: '', ...hotel, customer_id: guest, meal_plan: `plan of ${event}`, warnings: [] };
  const facts = { event_id: eventId, received_at: receivedAt.toISOString() };
  const leading = { ...facts, occurred_at: null, sender: 'a' };
  // Two versions are at work at once, of which the later one has a column more.
  const line = world.random.chance(50)
    ? code.ndjson({ ...leading, schema_version: 1, ...row })
    : code.ndjson({ ...leading, schema_version: 2, ...row, promo_code: 'SPRING' });
  ledger.erasures.receive(eventId, guest, line);
  return { eventId, receivedAt, line, partition: code.partitionOf(receivedAt) };
}

function storesOf({ r2, queues }: Stage, actor: Actor, queue: ModelQueue, background: Promise<unknown>[]): Stores {
  return {
    queue: queues.queue(actor, queue),
    bucket: r2.bucket(actor),
    background: { waitUntil: (promise: Promise<unknown>) => void background.push(promise) },
  };
}

async function storeOne(code: Isolate, received: Received | undefined, stores: Stores, ledger: Stage['ledger']) {
  if (received === undefined) return;
  const { line, partition, eventId } = received;
  const durable = await code.makeDurable(line, () => code.objectKey('landing', partition, eventId), stores);
  if (durable.ok) acknowledge(ledger, received);
}

function acknowledge(ledger: Stage['ledger'], received: Received | undefined): void {
  if (received !== undefined) ledger.acknowledge(received.eventId, received.receivedAt.getTime());
}

/** Senders whose bodies are refused. */
export function refusals(stage: Stage): void {
  const { world, profile, ledger } = stage;
  for (let body = 0; body < profile.refusedBodies; body += 1) {
    world.after(world.random.int(0, profile.arrivalMs), () => {
      invoke(stage, 'intake', REQUEST_LIMIT_MS, async (code, actor) => {
        const background: Promise<unknown>[] = [];
        const text = JSON.stringify({ CustomerId: guestOf(body), text: `body ${body}` });
        const received = { bytes: new Uint8Array(Buffer.from(text)), encoding: '', ending: 'whole' } as const;
        const stores = storesOf(stage, actor, stage.rejectedQueue, background);
        const kept = await code.keepRefused({ reason: 'not_utf8' }, received, new Headers(), 'a', stores);
        if (kept !== undefined) ledger.kept.refuse(kept.rejectionId);
        await Promise.allSettled(background);
      });
    });
  }
}

/** Somebody else who sends to the queue. */
export function foreigners({ world, profile, queue, ledger }: Stage): void {
  const messages = Math.ceil((profile.events * profile.foreignPercent) / 100);
  for (let message = 0; message < messages; message += 1) {
    const text = `message ${message} of somebody else`;
    const of = { CustomerId: guestOf(message * 3), text };
    const body = world.random.pick<unknown>([text, of, JSON.stringify(of), 2n ** 64n, new Map([[1, 2]])]);
    // Of what is neither text nor JSON, only its kind is kept.
    if (typeof body === 'string' || body === of) ledger.kept.send(text);
    world.after(world.random.int(0, profile.activeMs), () => queue.send(body, world.now));
  }
}
