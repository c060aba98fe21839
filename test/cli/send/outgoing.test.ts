import { expect, test } from 'vitest';
import { withKeys } from '../../../src/cli/send/outgoing.ts';

async function keysOf(...bodies: string[]) {
  async function* events() {
    for (const [at, body] of bodies.entries()) yield { line: at + 1, body };
  }
  return (await Array.fromAsync(withKeys(events()))).map(({ key }) => key);
}

test('`withKeys()` gives the same event the same key wherever it stands, and equal ones different keys', async () => {
  const [a, b, again] = await keysOf('a', 'b', 'a');
  expect(new Set([a, b, again]).size).toBe(3);
  expect(await keysOf('new', 'b', 'a', 'a')).toEqual([expect.any(String), b, a, again]);
});
