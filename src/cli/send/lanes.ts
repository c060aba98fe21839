/**
 * The order in which events go out: a lane has all events of its reservations and sends them one request after the other,
 * since the last one of a reservation to be received is its state. Pure.
 */

import { crc32 } from 'node:zlib';
import type { Outgoing } from './outgoing.ts';

/** How many events a lane looks at for its next request. */
const LOOK_AHEAD = 2_000;

/** How much may wait in all lanes before nothing more is read, in UTF-16 code units of the events. */
const MAX_WAITING = 64 * 1024 * 1024;

/** How much goes in one request. */
export interface GroupLimits {
  readonly events: number;
  /** The bytes of all events of a group together; one that is larger goes alone. */
  readonly bytes: number;
}

/** One of several that share an input. */
export interface Lane {
  /**
   * The events of the next request, none when there are no more. No two are of one reservation: a service that stores
   * only some of them must not store the later one first.
   */
  next(limits: GroupLimits): Promise<readonly Outgoing[]>;
}

interface Waiting {
  readonly event: Outgoing;
  readonly bytes: number;
}

/**
 * Divides events among lanes, by a hash of their reservations.
 *
 * @param sizeOf - The bytes of an event; infinite when it has to go alone.
 * @param stopped - Ends all lanes.
 */
export function divide(
  input: AsyncIterable<Outgoing>,
  count: number,
  sizeOf: (event: Outgoing) => number,
  stopped: AbortSignal,
): readonly Lane[] {
  const source = input[Symbol.asyncIterator]();
  const lanes = Array.from({ length: count }, (): Waiting[] => []);
  let ended = false;
  let size = 0;
  let moved = Promise.withResolvers<void>();

  async function read(): Promise<void> {
    const { done = false, value: event } = await source.next();
    ended ||= done;
    if (!done) {
      lanes[crc32(event.reservation ?? event.key) % count]?.push({ event, bytes: sizeOf(event) });
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
    async next(limits) {
      while (
        !stopped.aborted &&
        !ended &&
        waiting.length < LOOK_AHEAD &&
        (size < MAX_WAITING || waiting.length === 0)
      ) {
        // What is full of events of other lanes gets room when they send.
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

/** Takes out what goes in one request, the first event in any case. */
function take(waiting: Waiting[], limits: GroupLimits): readonly Outgoing[] {
  const taken: Outgoing[] = [];
  const left: Waiting[] = [];
  const passed = new Set<string>();
  let room = limits.bytes;
  let at = 0;
  for (; at < waiting.length && taken.length < limits.events && room > 0; at += 1) {
    const next = waiting[at];
    if (next === undefined) break;
    const { event, bytes } = next;
    const isFree = event.reservation === undefined || !passed.has(event.reservation);
    if (isFree && (taken.length === 0 || bytes <= room)) {
      taken.push(event);
      room -= bytes;
    } else left.push(next);
    if (event.reservation !== undefined) passed.add(event.reservation);
  }
  waiting.splice(0, at, ...left);
  return taken;
}
