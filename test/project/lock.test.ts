import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

test('package-lock.json asks for no Node.js, by which npm would leave binaries out', () => {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Record<string, object> };
  const asking = Object.keys(packages).filter((name) => 'engines' in (packages[name] ?? {}));
  expect(asking, 'npm install takes it out').toEqual([]);
});
