/** Looking a token up among 1 and among 1,000, known and unknown, side by side: all should cost the same. */

import { join } from 'node:path';
import { bundle } from './bundle.ts';
import { median } from './median.ts';
import { serve } from './serve.ts';

const ROUNDS = 15;
const LOOKUPS = 20_000;
const SIZES = [1, 1_000] as const;
/** Where the numbers of the tokens start that are asked for: with those in the book, or far behind them. */
const ASKED = { known: 0, unknown: 1_000_000 };

/** The times of one kind of look-up, in microseconds. */
export interface TokensResult {
  readonly tokens: number;
  readonly asked: string;
  readonly medianMicroseconds: number;
  readonly fastestMicroseconds: number;
  readonly slowestMicroseconds: number;
}

/** Measures every kind of look-up in turn, round by round. */
export async function benchTokens(
  folder: string,
  progress: (done: number, total: number) => void,
): Promise<TokensResult[]> {
  const code = await bundle('test/bench/workers/tokens.ts');
  const stub = await bundle('test/bench/workers/stub.ts');
  const kinds = SIZES.flatMap((tokens) =>
    Object.entries(ASKED).map(([asked, first]) => ({ tokens, asked, first, micros: [] as number[] })),
  );
  const served = await serve(join(folder, 'tokens'), code, stub, 18_790);
  try {
    // The first round fills the books and warms up.
    for (let round = 0; round <= ROUNDS; round += 1) {
      for (const { tokens, first, micros } of kinds) {
        const started = performance.now();
        const response = await fetch(`${served.origin}/?size=${tokens}&times=${LOOKUPS}&first=${first}`);
        const found = Number(await response.text());
        if (found !== (first === 0 ? LOOKUPS : 0))
          throw new Error(`Cannot trust this: ${found} of ${LOOKUPS} were found`);
        if (round > 0) micros.push(((performance.now() - started) / LOOKUPS) * 1_000);
      }
      progress(round, ROUNDS);
    }
  } finally {
    await served.stop();
  }
  return kinds.map(({ tokens, asked, micros }) => ({
    tokens,
    asked,
    medianMicroseconds: median(micros),
    fastestMicroseconds: Math.min(...micros),
    slowestMicroseconds: Math.max(...micros),
  }));
}
