/**
 * Virtual time, and everything that happens in it: one thing after the other, in an order that the seed decides. Nothing
 * else happens between two steps, so a seed gives the same run every time.
 */

import type { Random } from '../faults/random.ts';

/** Something that runs in an isolate until it returns, throws or is killed. */
export interface Actor {
  readonly name: string;
  /** How far the clock of its isolate is off, in milliseconds. */
  readonly skewMs: number;
  /** For how long a call of it may be held up before it does what it should, in milliseconds. */
  readonly patienceMs: number;
  dead: boolean;
}

/** How an actor ended. */
export type Ending = 'returned' | 'threw' | 'killed';

interface Step {
  readonly at: number;
  /** Decides between steps of the same time. */
  readonly order: number;
  readonly run: () => void;
}

const realSetImmediate = globalThis.setImmediate;

/** One run of virtual time. */
export class World {
  readonly random: Random;
  now: number;
  steps = 0;
  /** Whether what happens now was asked for long ago. */
  belated = false;
  /** The process that runs at the moment; time and timers are asked for by it. */
  current: Actor | undefined;
  /** What is wrong; the run stops at the first. */
  violation: string | undefined;
  readonly #heap: Step[] = [];
  #resumed = false;

  constructor(random: Random, start: number) {
    this.random = random;
    this.now = start;
  }

  /** Has something happen after so many milliseconds. */
  after(milliseconds: number, run: () => void): void {
    const step = { at: this.now + Math.ceil(milliseconds), order: this.random.int(0, 0x3fff_ffff), run };
    const heap = this.#heap;
    let at = heap.push(step) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isBefore(step, heap[parent])) break;
      [heap[at], heap[parent]] = [heap[parent] ?? step, step];
      at = parent;
    }
  }

  /** Lets time pass. */
  async runUntil(end: number): Promise<void> {
    for (let next = this.#heap[0]; next !== undefined && next.at <= end; next = this.#heap[0]) {
      this.#pop();
      this.now = next.at;
      this.current = undefined;
      next.run();
      this.steps += 1;
      if (this.#resumed) {
        this.#resumed = false;
        // Everything that is ready to run has run when the event loop turns.
        await new Promise<void>((resolve) => realSetImmediate(resolve));
      }
      if (this.violation !== undefined) return;
    }
    this.now = end;
  }

  /** Starts an actor, which the platform ends after so many milliseconds. */
  spawn(actor: Actor, limitMs: number, body: () => Promise<unknown>, ended: (how: Ending) => void): void {
    let over = false;
    const end = (how: Ending) => {
      if (over) return;
      over = true;
      actor.dead = true;
      ended(how);
      for (const run of this.#over.get(actor) ?? []) run();
    };
    this.resume(actor, () => {
      body().then(
        () => end('returned'),
        (error: unknown) => {
          // What is injected is an Error; what the language throws is a fault of our code.
          if (error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError) {
            this.violate(`${actor.name} threw ${error.name}: ${error.message}`);
          }
          end('threw');
        },
      );
    });
    this.after(limitMs, () => end('killed'));
    this.#kills.set(actor, () => end('killed'));
  }

  readonly #kills = new WeakMap<Actor, () => void>();

  readonly #over = new WeakMap<Actor, (() => void)[]>();

  /** Has something happen when an actor is over, or at once when it is. */
  whenOver(actor: Actor, run: () => void): void {
    if (actor.dead) run();
    else this.#over.set(actor, [...(this.#over.get(actor) ?? []), run]);
  }

  /** Ends an actor at once. */
  kill(actor: Actor): void {
    this.#kills.get(actor)?.();
  }

  /** Goes on with an actor, unless it is dead. */
  resume(actor: Actor, run: () => void): void {
    if (actor.dead) return;
    this.current = actor;
    this.#resumed = true;
    run();
  }

  /** Notes what is wrong. */
  violate(what: string): void {
    this.violation ??= what;
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    heap[0] = last;
    for (let at = 0; ; ) {
      let least = at;
      for (const child of [2 * at + 1, 2 * at + 2]) {
        if (isBefore(heap[child], heap[least])) least = child;
      }
      if (least === at) return;
      [heap[at], heap[least]] = [heap[least] ?? last, heap[at] ?? last];
      at = least;
    }
  }
}

function isBefore(left: Step | undefined, right: Step | undefined): boolean {
  if (left === undefined || right === undefined) return left !== undefined;
  return left.at < right.at || (left.at === right.at && left.order < right.order);
}
