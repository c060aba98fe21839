/**
 * The order in which events are sent. A lane has all events of its reservations and sends them one request at a time,
 * since the event received last determines the state of a reservation. Pure.
 */

import { crc32 } from 'node:zlib';
import type { Outgoing } from './outgoing.ts';

/** Events that a lane looks ahead for its next request. */
const LOOK_AHEAD = 2_000;

/** Limit of the events waiting in all lanes, in UTF-16 code units; above it, no more are read. */
const MAX_WAITING = 64 * 1024 * 1024;

/** Limits of one request. */
export interface GroupLimits {
  readonly events: number;
  /** Total bytes of the events in a group; a larger event is sent alone. */
  readonly bytes: number;
}

/** One of several queues that share an input. */
export type Lane = ReturnType<typeof divide>[number];

/**
 * Distributes events among lanes by a hash of their reservations.
 *
 * @param stopped - Ends all lanes.
 */
export function divide(input: AsyncIterable<Outgoing>, count: number, stopped: AbortSignal) {
  const source = input[Symbol.asyncIterator]();
  const lanes = Array.from({ length: count }, (): Outgoing[] => []);
  let ended = false;
  let size = 0;
  let moved = Promise.withResolvers<void>();

  async function read(): Promise<void> {
    const { done = false, value: event } = await source.next();
    ended ||= done;
    if (!done) {
      lanes[crc32(event.reservation ?? event.key) % count]?.push(event);
      size += event.body.length;
    }
    tell();
  }

  function tell(): void {
    moved.resolve();
    moved = Promise.withResolvers();
  }

  stopped.addEventListener('abort', tell);
  return lanes.map((waiting) => ({
    /**
     * The events of the next request; empty at the end. No two belong to one reservation: a service that stores only
     * some of them must not store the later one first.
     */
    async next(limits: GroupLimits): Promise<readonly Outgoing[]> {
      while (
        !stopped.aborted &&
        !ended &&
        waiting.length < LOOK_AHEAD &&
        (size < MAX_WAITING || waiting.length === 0)
      ) {
        // The memory is full of other lanes' events: wait until they send some.
        if (size >= MAX_WAITING) await moved.promise;
        else await read();
      }
      if (stopped.aborted) return [];
      const taken = take(waiting, limits);
      for (const { body } of taken) size -= body.length;
      tell();
      return taken;
    },
  }));
}

/** Takes the events of the next request, always including the first one. */
function take(waiting: Outgoing[], limits: GroupLimits): readonly Outgoing[] {
  const taken: Outgoing[] = [];
  const left: Outgoing[] = [];
  const passed = new Set<string>();
  let room = limits.bytes;
  let seen = 0;
  for (const event of waiting) {
    if (taken.length === limits.events || room <= 0) break;
    const { reservation, bytes } = event;
    const isFree = reservation === undefined || !passed.has(reservation);
    if (isFree && (taken.length === 0 || bytes <= room)) {
      taken.push(event);
      room -= bytes;
    } else left.push(event);
    if (reservation !== undefined) passed.add(reservation);
    seen += 1;
  }
  waiting.splice(0, seen, ...left);
  return taken;
}
