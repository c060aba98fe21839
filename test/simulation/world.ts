/**
 * Virtual time, and everything that happens in it: one thing after the other, in an order that the seed decides. Nothing
 * else happens between two steps, so a seed gives the same run every time.
 */

import TinyQueue from 'tinyqueue';
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
  at: number;
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
  /** Where alarms are posted, as an actor reaches it. */
  webhook: (actor: Actor, text: string) => Promise<Response> = async () => new Response();
  /** The process that runs at the moment; time and timers are asked for by it. */
  current: Actor | undefined;
  /** What is wrong; the run stops at the first. */
  violation: string | undefined;
  readonly #steps = new TinyQueue<Step>([], (left, right) => left.at - right.at || left.order - right.order);
  #resumed = false;

  constructor(random: Random, start: number) {
    this.random = random;
    this.now = start;
  }

  /** Has something happen after so many milliseconds. */
  after(milliseconds: number, run: () => void): void {
    this.#steps.push({ at: this.now + Math.ceil(milliseconds), order: this.random.int(0, 0x3fff_ffff), run });
  }

  /** Lets time pass. */
  async runUntil(end: number): Promise<void> {
    for (let next = this.#steps.peek(); next !== undefined && next.at <= end; next = this.#steps.peek()) {
      this.#steps.pop();
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

  /** Lets days pass at once in which nothing happens: whatever is still to come, comes so much later. */
  skip(milliseconds: number): void {
    this.now += milliseconds;
    for (const step of this.#steps.data) step.at += milliseconds;
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
}
