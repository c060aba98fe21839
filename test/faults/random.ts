/** Seeded randomness: equal seeds give equal runs. */

import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** A source of random choices. */
export interface Random {
  /** A whole number from `least` to `most`. */
  int(least: number, most: number): number;
  /** One of some things, each as likely. */
  pick<Thing>(things: readonly [Thing, ...Thing[]]): Thing;
  /** True in so many of a hundred cases. */
  chance(percent: number): boolean;
}

/** Starts a source. */
export function seeded(seed: number): Random {
  const generator = xoroshiro128plus(seed);
  const int = (least: number, most: number) => uniformInt(generator, least, most);
  return {
    int,
    pick: (things) => things[int(0, things.length - 1)] ?? things[0],
    chance: (percent) => int(1, 100) <= percent,
  };
}
