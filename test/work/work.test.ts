/** No body costs much more than an ordinary one of its size, in work counted. A room adds its path to PATHS and PLAIN. */

import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { seeded } from '../faults/random.ts';
import { change, KNOWN, PLAIN, type Recipe, write } from './bodies.ts';
import type { Sent } from './count-work.ts';
import type { PathName } from './paths.ts';

const MAX_BYTES = 64_000;
/** How many times as much work as an ordinary body of the same size one may be. */
const LIMIT = 10;
const SEED = 26;
const THOROUGH = process.env.THOROUGH === '1';
const GENERATIONS = THOROUGH ? 20 : 2;
const KEPT = 12;
const CHILDREN = THOROUGH ? 30 : 10;
/** How many times as much a packed batch unpacks to. */
const UNPACKED = 4;

/** Counts the work of bodies. */
function countWork(sent: readonly Sent[]): Promise<number[]> {
  return new Promise((done, failed) => {
    const counting = execFile(
      process.execPath,
      ['--js-base-64', resolve('test/work/count-work.ts')],
      { maxBuffer: 2 ** 26 },
      (error, stdout) => (error ? failed(error) : done(JSON.parse(stdout))),
    );
    counting.stdin?.end(JSON.stringify(sent));
  });
}

const sentOf = (path: Sent['path'], body: Uint8Array): Sent => ({ path, body: Buffer.from(body).toString('base64') });

describe.each(Object.keys(PLAIN) as PathName[])('the work of %s', (path) => {
  test('stays within ten times that of an ordinary body, whatever a search finds', { timeout: 1_800_000 }, async () => {
    const random = seeded(SEED);
    const known = new Map<string, { recipe: Recipe; work: number }>();
    const count = async (recipes: readonly Recipe[]) => {
      const counts = await countWork(recipes.map((recipe) => sentOf(path, write(recipe, MAX_BYTES))));
      for (const [at, recipe] of recipes.entries())
        known.set(JSON.stringify(recipe), { recipe, work: counts[at] ?? 0 });
    };
    const worst = () => [...known.values()].toSorted((left, right) => right.work - left.work).slice(0, KEPT);
    const [plain = 0] = await countWork([sentOf(path, write(PLAIN[path], MAX_BYTES))]);
    await count(KNOWN);
    for (let generation = 0; generation < GENERATIONS; generation += 1) {
      const parents = worst();
      await count(
        Array.from({ length: CHILDREN }, (_, at) => {
          let child = parents[at % parents.length]?.recipe ?? PLAIN[path];
          do child = change(child, random);
          while (known.has(JSON.stringify(child)));
          return child;
        }),
      );
    }
    const found = worst().map(({ recipe, work }) => ({ recipe, times: Math.round((work / plain) * 10) / 10 }));
    if (THOROUGH) console.info(path, plain, JSON.stringify(found, null, 1));
    expect(plain).toBeGreaterThan(MAX_BYTES);
    expect(found.filter(({ times }) => times > LIMIT)).toEqual([]);
  });
});

test('the work of a batch that gzip has made small is that of an ordinary one of what it unpacks to', async () => {
  const lines = (recipe: Recipe) =>
    gzipSync(Array.from({ length: UNPACKED }, () => Buffer.from(write(recipe, MAX_BYTES)).toString()).join('\n'));
  const [plain = 0, ...others] = await countWork(
    [PLAIN.intake, ...KNOWN.filter(({ frame }) => frame === 'members')].map((recipe) => sentOf('batch', lines(recipe))),
  );
  expect(plain).toBeGreaterThan(UNPACKED * MAX_BYTES);
  expect(Math.max(...others)).toBeLessThan(LIMIT * plain);
});
