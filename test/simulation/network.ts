/** Calls: slow, failing, of unknown outcome, and without an answer. */

import { type Outage, type Profile, SECOND_MS } from './profile.ts';
import type { Actor, World } from './world.ts';

/** How calls go wrong. */
const FAULTS = [
  'refused',
  'done and reported as failed',
  'done late',
  'answered late',
  'held up',
  'no answer',
  'done, no answer',
] as const;

/** The connections of an invocation: a call that gets no answer keeps its own (Workers, Limits). */
const CONNECTIONS = 6;

/** How late something can still happen of which the caller knows nothing. */
const LATEST_EFFECT_MS = 20 * SECOND_MS;
const SLOWEST_MS = 40 * SECOND_MS;

/** The way to everything. */
export class Network {
  /** Whether nothing fails any more; whether nothing is begun, and nothing is delivered for the moment. */
  calm = false;
  asleep = false;
  stuck = false;
  readonly world: World;
  readonly profile: Profile;
  #start: number;

  /** The calls of an invocation that wait for an answer, and those that wait for a connection. */
  readonly #connections = new WeakMap<Actor, { open: number; readonly waiting: (() => void)[] }>();

  constructor(world: World, profile: Profile) {
    this.world = world;
    this.profile = profile;
    this.#start = world.now;
  }

  /** Whether something goes wrong that is no call of its own. */
  isUnlucky(): boolean {
    return !this.calm && this.world.random.chance(this.profile.faultPercent);
  }

  /** Whether an outage is under way. */
  isDown(outages: readonly Outage[]): boolean {
    const at = this.world.now - this.#start;
    return outages.some(({ from, to }) => at >= from && at < to);
  }

  /** Lets outages come later, as everything does when days are passed over. */
  skip(milliseconds: number): void {
    this.#start += milliseconds;
  }

  /** Makes a call. `effect` is what it does, which happens once, or not at all. */
  call<Value>(actor: Actor, outages: readonly Outage[], effect: () => Value): Promise<Value> {
    return new Promise((resolve, reject) => {
      const start = () => this.#begin(actor, outages, effect, resolve, reject);
      const connections = this.#connections.get(actor) ?? { open: 0, waiting: [] };
      this.#connections.set(actor, connections);
      if (connections.open === CONNECTIONS) connections.waiting.push(start);
      else {
        connections.open += 1;
        start();
      }
    });
  }

  /** Gives a connection to the call that waits longest. */
  #release(actor: Actor): void {
    const connections = this.#connections.get(actor);
    if (connections === undefined) return;
    const next = connections.waiting.shift();
    if (next === undefined) connections.open -= 1;
    else next();
  }

  #begin<Value>(
    actor: Actor,
    outages: readonly Outage[],
    effect: () => Value,
    resolve: (value: Value) => void,
    reject: (error: unknown) => void,
  ): void {
    // Nothing that a dead isolate wants is heard.
    if (actor.dead) return;
    const { random } = this.world;
    const duration = this.durationOfCall();
    const down = !this.calm && this.isDown(outages);
    const fault = down ? 'refused' : this.#chooseFault();
    const answer = (after: number, settle: () => void) => {
      this.world.after(after, () => {
        this.#release(actor);
        this.world.resume(actor, settle);
      });
    };
    const fail = (after: number) => answer(after, () => reject(new Error(`injected: ${fault}`)));
    const happen = (after: number, then: (value: Value) => void) => {
      this.world.after(after, () => {
        this.world.belated = fault === 'held up' || fault === 'done late';
        try {
          then(effect());
        } catch (error) {
          answer(duration / 2, () => reject(error));
        } finally {
          this.world.belated = false;
        }
      });
    };
    switch (fault) {
      case 'none':
        happen(duration / 2, (value) => answer(duration / 2, () => resolve(value)));
        break;
      case 'answered late':
        happen(duration / 2, (value) => answer(random.int(1, SLOWEST_MS), () => resolve(value)));
        break;
      case 'held up':
        happen(random.int(1, actor.patienceMs), (value) => answer(1, () => resolve(value)));
        break;
      case 'refused':
        fail(duration);
        break;
      case 'done and reported as failed':
        happen(duration / 2, () => {});
        fail(duration);
        break;
      case 'done late':
        happen(random.int(1, LATEST_EFFECT_MS), () => {});
        fail(duration);
        break;
      case 'no answer':
        break;
      case 'done, no answer':
        happen(duration / 2, () => {});
        break;
    }
  }

  /** How long a call takes, in milliseconds. */
  protected durationOfCall(): number {
    return this.world.random.int(1, 300);
  }

  #chooseFault(): (typeof FAULTS)[number] | 'none' {
    const { random } = this.world;
    return !this.calm && random.chance(this.profile.faultPercent) ? random.pick(FAULTS) : 'none';
  }
}
