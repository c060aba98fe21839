/** The account of alarms: what the webhook was told, against what is remembered of it (docs/operating.md, Alarms). */

import type { Alarms } from '../../src/notify/transitions.ts';
import type { ModelBucket, ModelObject } from './model-bucket.ts';
import { CLOCKS_MS, DAY_MS } from './profile.ts';
import { textOf } from './stored.ts';
import type { World } from './world.ts';

const STATE_KEY = 'alarms/state.json';
const MESSAGE = /^(RAISED|STILL RAISED|CLEARED) (\w+)/gm;

/** The account. */
export class AlarmLedger {
  readonly #world: World;
  readonly #bucket: ModelBucket;
  /** What is remembered as raised. */
  readonly #raised = new Set<string>();
  /** What was told of each alarm since it was remembered otherwise; what is not confirmed can be told twice. */
  readonly #told = new Map<string, Set<string>>();
  /** The alarms of which the webhook has last heard that they are raised, whether or not it confirmed that. */
  readonly #lastToldRaised = new Set<string>();

  constructor(world: World, bucket: ModelBucket) {
    this.#world = world;
    this.#bucket = bucket;
  }

  /** The webhook gets a message. */
  onPost(text: string): void {
    const { now, belated } = this.#world;
    const state = this.#bucket.get(STATE_KEY);
    const alarms: Alarms = state === undefined ? {} : JSON.parse(textOf(state)).alarms;
    for (const [, word = '', name = ''] of text.matchAll(MESSAGE)) {
      const isRaised = alarms[name]?.raised === true;
      const isUnconfirmed = alarms[name]?.unconfirmed === true;
      if ((word === 'RAISED') === isRaised && !belated && !isUnconfirmed) {
        this.#world.violate(`${word} ${name} is posted, and it is remembered as ${isRaised ? 'raised' : 'cleared'}`);
      }
      const postedAt = Date.parse(alarms[name]?.posted_at ?? '');
      if (word === 'STILL RAISED' && now - postedAt < DAY_MS - CLOCKS_MS && !isUnconfirmed) {
        this.#world.violate(`${name} is posted again within a day`);
      }
      this.#told.set(name, (this.#told.get(name) ?? new Set()).add(word));
      // One that arrives after its run has gone may come behind later ones, which no run can help.
      if (belated) continue;
      if (word === 'CLEARED') this.#lastToldRaised.delete(name);
      else this.#lastToldRaised.add(name);
    }
  }

  /** What is remembered as told has been told. */
  onPut(object: ModelObject): void {
    if (object.key !== STATE_KEY) return;
    const alarms: Alarms = JSON.parse(textOf(object)).alarms;
    for (const name of this.#raised.union(new Set(Object.keys(alarms)))) {
      const isRaised = alarms[name]?.raised === true;
      if (isRaised === this.#raised.has(name)) continue;
      if (isRaised) this.#raised.add(name);
      else this.#raised.delete(name);
      const word = isRaised ? 'RAISED' : 'CLEARED';
      if (!this.#told.get(name)?.has(word)) this.#world.violate(`${word} ${name} is remembered, and nobody was told`);
      this.#told.delete(name);
    }
  }

  /** An alarm that is still raised, though all is well. */
  left(but?: string): string | undefined {
    const name = this.#raised
      .union(this.#lastToldRaised)
      .keys()
      .find((each) => each !== but);
    return name === undefined ? undefined : `the alarm ${name} is raised though nothing is wrong`;
  }
}
