/** Imports run one way, so that each room can be read without those above it. */

import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';

/** What a room imports, beside itself. A file that lies directly in `src` is a room of its own. */
const ORDER: Readonly<Record<string, readonly string[]>> = {
  'index.ts': ['config.ts', 'routes.ts', 'intake', 'landing', 'cron', 'http', 'telemetry', 'contract'],
  // What `npm start` runs in its place, and nothing deploys.
  local: ['config.ts', 'index.ts'],
  'routes.ts': ['config.ts', 'catalog', 'health', 'intake', 'status', 'http', 'contract'],
  'config.ts': ['senders', 'storage', 'telemetry'],
  health: ['config.ts', 'http', 'storage', 'telemetry'],
  cron: ['config.ts', 'notify', 'guests', 'http', 'publish', 'table', 'storage', 'telemetry'],
  catalog: ['config.ts', 'http', 'senders', 'storage', 'telemetry'],
  status: ['config.ts', 'health', 'intake', 'http', 'senders', 'storage', 'telemetry'],
  notify: ['config.ts', 'health', 'storage', 'telemetry', 'contract'],
  intake: ['config.ts', 'result.ts', 'http', 'json', 'senders', 'telemetry', 'storage', 'contract'],
  landing: ['config.ts', 'telemetry', 'storage'],
  publish: ['config.ts', 'telemetry', 'guests', 'storage', 'contract'],
  table: ['guests', 'storage', 'contract'],
  guests: ['storage', 'contract'],
  storage: ['contract', 'json'],
  contract: ['json', 'result.ts'],
  // What the rooms above share.
  http: ['telemetry'],
  senders: ['result.ts', 'http', 'json', 'telemetry'],
  json: ['result.ts'],
  telemetry: [],
  'result.ts': [],
  // What follows is no part of the Worker: the tools, and the pages that describe it.
  cli: ['result.ts', 'guests', 'storage', 'contract', 'senders', 'http'],
  site: ['intake', 'http', 'contract', 'senders', 'status'],
};

const roomOf = (path: string) => path.split('/')[1] ?? '';

/** The rooms that a file imports from, whichever way it is written. */
function roomsOf(file: string): string[] {
  const imports = readFileSync(file, 'utf8').matchAll(/(?:\bfrom|^import|\bimport\()\s*'(\.[^']+)'/gm);
  const paths = Array.from(imports, ([, target = '']) => normalize(join(dirname(file), target)));
  return paths.filter((path) => path.startsWith('src/')).map(roomOf);
}

const FILES = Map.groupBy(globSync('src/**/*.ts'), roomOf);

test('every room has its place in the order', () => {
  expect([...FILES.keys()].sort()).toEqual(Object.keys(ORDER).sort());
});

test.each(Object.entries(ORDER))('%s imports from %j and no other room', (room, below) => {
  const files = FILES.get(room) ?? [];
  const above = files.filter((file) => roomsOf(file).some((other) => other !== room && !below.includes(other)));
  expect(above).toEqual([]);
  expect(files.flatMap(roomsOf)).toEqual(expect.arrayContaining([...below]));
});
