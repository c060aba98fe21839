/** `npm run bench:tokens`: what it costs to look a token up among 1 and among 1,000, known and unknown, side by side. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { median } from './median.ts';
import { serve } from './serve.ts';

const ROUNDS = 15;
const LOOKUPS = 20_000;
const SIZES = [1, 1_000];
/** Where the numbers of the tokens start that are asked for: with those in the book, or far behind them. */
const ASKED = { known: 0, unknown: 1_000_000 };

const folder = mkdtempSync(join(tmpdir(), 'bench-tokens-'));
const [code, stub] = await Promise.all(['tokens', 'stub'].map(bundle));
const served = await serve(folder, code ?? '', stub ?? '', 18_790);
const times = new Map<string, number[]>();
try {
  // The first round fills the books and warms up.
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const size of SIZES) {
      for (const [asked, first] of Object.entries(ASKED)) {
        const started = performance.now();
        const response = await fetch(`${served.origin}/?size=${size}&times=${LOOKUPS}&first=${first}`);
        const found = Number(await response.text());
        if (found !== (first === 0 ? LOOKUPS : 0))
          throw new Error(`Cannot trust this: ${found} of ${LOOKUPS} were found`);
        if (round === 0) continue;
        const name = `${size} tokens, ${asked}`;
        times.set(name, [...(times.get(name) ?? []), (performance.now() - started) / LOOKUPS]);
      }
    }
    process.stderr.write(`\rRound ${round} of ${ROUNDS}`);
  }
} finally {
  await served.stop();
  rmSync(folder, { recursive: true });
}
console.error('');
console.table(
  Object.fromEntries(
    [...times].map(([name, values]) => {
      const micros = values.map((milliseconds) => milliseconds * 1_000);
      const fixed = (value: number) => `${value.toFixed(2)} µs`;
      return [
        name,
        { median: fixed(median(micros)), fastest: fixed(Math.min(...micros)), slowest: fixed(Math.max(...micros)) },
      ];
    }),
  ),
);

async function bundle(worker: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, `workers/${worker}.ts`)],
    bundle: true,
    format: 'esm',
    write: false,
    external: ['cloudflare:*'],
  });
  return outputFiles[0]?.text ?? '';
}
