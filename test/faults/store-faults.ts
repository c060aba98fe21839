/** What a store can do instead of what it should. */

import type { Random } from './random.ts';
import type { VirtualTime } from './virtual-time.ts';

/** Every behaviour of a store, the good one first. */
const BEHAVIOURS = [
  'works',
  'refuses',
  'hangs',
  'confirms late',
  'stores late',
  'stores, then reports failure',
  'stores, and the acknowledgement is lost',
] as const;

/** One of them. */
export type Behaviour = (typeof BEHAVIOURS)[number];

/** Those that leave nothing behind. */
export const STORES_NOTHING: readonly Behaviour[] = ['refuses', 'hangs'];

/** Delays reach from what nobody notices to well past the time limit, in milliseconds. */
const SHORTEST_DELAY_MS = 100;
const LONGEST_DELAY_MS = 8_000;

/** Chooses a behaviour: the good one in so many of a hundred cases. */
export function chooseBehaviour(random: Random, percentGood: number): Behaviour {
  const [good, first, ...others] = BEHAVIOURS;
  return random.chance(percentGood) ? good : random.pick([first, ...others]);
}

/** Carries out a real operation in the way of a behaviour. */
export async function behave<Value>(
  behaviour: Behaviour,
  operation: () => Promise<Value>,
  random: Random,
  time: VirtualTime,
): Promise<Value> {
  const delayMs = random.int(SHORTEST_DELAY_MS, LONGEST_DELAY_MS);
  switch (behaviour) {
    case 'works':
      return time.real(operation);
    case 'refuses':
      throw new Error('injected: refused');
    case 'hangs':
      return never();
    case 'confirms late': {
      const value = await time.real(operation);
      await time.after(delayMs);
      return value;
    }
    case 'stores late':
      await time.after(delayMs);
      return time.real(operation);
    case 'stores, then reports failure':
      await time.real(operation);
      throw new Error('injected: reported as failed');
    case 'stores, and the acknowledgement is lost':
      await time.real(operation);
      return never();
  }
}

/** What never answers. */
export function never(): Promise<never> {
  return new Promise(() => {});
}
