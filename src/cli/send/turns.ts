/**
 * The order in which events go out: those of one reservation one after the other, as they stand in the input, since the
 * last one to be received is its state; those of others at the same time. Pure.
 */

import type { Outgoing } from './outgoing.ts';

/** How many events may wait for an earlier one of their reservation while others are looked for behind them. */
const MAX_WAITING = 1_000;

/** Events in the order in which they may be sent. */
export interface Turns {
  /** The events; one whose turn has not come is held back, and what may be sent goes first. */
  readonly events: AsyncIterable<Outgoing>;
  /** Says that an event has its answer, so that the next one of its reservation may go. */
  finish(event: Outgoing): void;
}

/** Gives each event its turn. Every event that is taken must be finished, or the later ones of its reservation never come. */
export function takeTurns(input: AsyncIterable<Outgoing>): Turns {
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

  async function* inTurn(): AsyncGenerator<Outgoing> {
    const source = input[Symbol.asyncIterator]();
    let ended = false;
    while (!ended || free.length > 0 || waitingCount > 0) {
      const next = free.shift();
      if (next !== undefined) yield next;
      else if (ended || waitingCount >= MAX_WAITING) await finished.promise;
      else {
        const { done = false, value } = await source.next();
        ended = done;
        if (!done && mayGo(value)) yield value;
      }
    }
  }

  return {
    events: inTurn(),
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
