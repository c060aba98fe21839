/** Imports run one way, so that each room can be read without those above it. */

import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';

/** What a room may import, beside itself. A file that lies directly in `src` is a room of its own. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  'index.ts': ['config.ts', 'health', 'intake', 'landing', 'publish'],
  'config.ts': ['log.ts', 'sender-tokens.ts', 'token-digest.ts'],
  'log.ts': [],
  'metrics.ts': ['log.ts'],
  'respond.ts': [],
  'sender-tokens.ts': ['token-digest.ts', 'contract'],
  'token-digest.ts': ['contract'],
  'within.ts': [],
  health: ['config.ts', 'log.ts', 'respond.ts', 'within.ts'],
  intake: ['config.ts', 'log.ts', 'metrics.ts', 'respond.ts', 'within.ts', 'storage', 'contract'],
  landing: ['config.ts', 'log.ts', 'metrics.ts', 'storage'],
  publish: ['config.ts', 'log.ts', 'storage'],
  storage: ['contract'],
  contract: [],
  // What follows is no part of the Worker: the tools, and the pages that describe it.
  cli: ['storage', 'contract'],
  site: ['intake', 'storage', 'contract'],
};

const roomOf = (path: string) => path.split('/')[1] ?? '';

const FILES = globSync('src/**/*.ts');

test.each(FILES)('%s imports only what stands below it', (file) => {
  const allowed = ALLOWED[roomOf(file)];
  expect(allowed, `add ${roomOf(file)} to the order of imports`).toBeDefined();
  for (const [, target = ''] of readFileSync(file, 'utf8').matchAll(/\bfrom '(\.[^']+)'/g)) {
    const path = normalize(join(dirname(file), target));
    if (!path.startsWith('src/')) continue;
    const room = roomOf(path);
    expect([roomOf(file), ...(allowed ?? [])], `${file} imports ${target}`).toContain(room);
  }
});
