/**
 * The order in which events go out: those of one reservation one after the other, as in the input, since the
 * last one to be received is its state; those of others at the same time. Pure.
 */

import type { Outgoing } from './outgoing.ts';

/** How many events may wait for an earlier one of their reservation while others are looked for behind them. */
const MAX_WAITING = 10_000;

/** How many events go in one request. */
export interface GroupLimits {
  readonly events: number;
  /** The bytes of all events of a group together; one that is larger goes alone. */
  readonly bytes: number;
  /** The bytes of an event; infinite when it has to go alone. */
  readonly sizeOf: (event: Outgoing) => number;
}

/** Events in the order in which they may be sent. */
export interface Turns {
  /**
   * Events that go in one request, never two of one reservation: a service that stores only some of them must not store
   * the later one first. One whose turn has not come is held back, and what may be sent goes first.
   */
  readonly groups: AsyncIterable<readonly Outgoing[]>;
  /** Says that an event has its answer, so that the next one of its reservation may go. */
  finish(event: Outgoing): void;
}

/** Gives each event its turn. Every event that is taken must be finished, or the later ones of its reservation never come. */
export function takeTurns(input: AsyncIterable<Outgoing>, limits: GroupLimits): Turns {
  /** The reservations with an event under way, and the events that wait behind it. */
  const waiting = new Map<string, Outgoing[]>();
  const free: Outgoing[] = [];
  let waitingCount = 0;
  let finished = Promise.withResolvers<void>();

  /** Whether an event may go at once; otherwise it waits. */
  function mayGo(event: Outgoing): boolean {
    if (event.reservation === undefined) return true;
    const line = waiting.get(event.reservation);
    if (line === undefined) {
      waiting.set(event.reservation, []);
      return true;
    }
    line.push(event);
    waitingCount += 1;
    return false;
  }

  async function* inTurn(): AsyncGenerator<readonly Outgoing[]> {
    const source = input[Symbol.asyncIterator]();
    let ended = false;
    let group: Outgoing[] = [];
    let bytes = 0;
    while (!ended || free.length > 0 || waitingCount > 0 || group.length > 0) {
      let next = free.shift();
      if (next === undefined && !ended && waitingCount < MAX_WAITING) {
        const { done = false, value } = await source.next();
        ended = done;
        if (!done && mayGo(value)) next = value;
        if (next === undefined) continue;
      }
      const size = next === undefined ? 0 : limits.sizeOf(next);
      const fits = group.length === 0 || (group.length < limits.events && bytes + size <= limits.bytes);
      if (next !== undefined && fits) {
        group.push(next);
        bytes += size;
      } else if (group.length > 0) {
        // It is full, or nothing more may go before something is answered.
        yield group;
        group = next === undefined ? [] : [next];
        bytes = size;
      } else {
        await finished.promise;
      }
    }
  }

  return {
    groups: inTurn(),
    finish({ reservation }) {
      if (reservation === undefined) return;
      const next = waiting.get(reservation)?.shift();
      if (next === undefined) waiting.delete(reservation);
      else {
        waitingCount -= 1;
        free.push(next);
      }
      finished.resolve();
      finished = Promise.withResolvers();
    },
  };
}
