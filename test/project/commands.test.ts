/** What the documents and the workflow tell people to type has to exist. */

import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { experimental_getWranglerCommands } from 'wrangler';
import { BLOBS, DOUBLES } from '../../src/telemetry/data-point.ts';
import { DOCUMENTS } from './documents.ts';

/** The part of wrangler's list of commands that is read here. */
interface Command {
  readonly definition?: object | undefined;
  readonly subtree?: ReadonlyMap<string, Command> | undefined;
}

const OPERATING = readFileSync('docs/operating.md', 'utf8');
const WORKFLOWS = globSync('.github/workflows/*.yml');
const TEXTS = [...DOCUMENTS.values(), ...WORKFLOWS.map((file) => readFileSync(file, 'utf8'))].join('\n');
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Readonly<Record<string, string>> };

test('every script that is named exists', () => {
  const named = [...TEXTS.matchAll(/npm run (?:--?s(?:ilent)? )?([\w:-]+)/g)].map(([, script]) => script ?? '');
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter((script) => scripts[script] === undefined)).toEqual([]);
});

test('the README reads the token also from a file with the line ends of Windows', () => {
  const [, command = ''] = /Bearer \$\((.*)\)"/.exec(DOCUMENTS.get('README.md') ?? '') ?? [];
  const cwd = mkdtempSync(join(tmpdir(), 'readme-'));
  writeFileSync(join(cwd, '.dev.vars'), 'API_TOKEN=one\r\nPSEUDONYM_KEY=two\r\n');
  expect(execFileSync('sh', ['-c', command], { cwd, encoding: 'utf8' })).toBe('one\n');
});

describe('the installed wrangler', () => {
  const { registry, globalFlags } = experimental_getWranglerCommands();
  const LINE = /npx wrangler ((?:[a-z][a-z-]*(?:[ `]|\n(?!npm )|(?=\n)))+)([^|`\n]*)/g;

  /** The flags of a command, or undefined when it is none. */
  function flagsOf({ definition }: Command): string[] | undefined {
    return definition !== undefined && 'args' in definition ? Object.keys(definition.args ?? {}) : undefined;
  }

  /** The flags of the command that these words begin with; what follows it are arguments. */
  function find(words: readonly string[]): string[] | undefined {
    let node: Command | undefined = registry;
    for (const word of words) node = node?.subtree?.get(word) ?? (node && flagsOf(node) ? node : undefined);
    return node && flagsOf(node);
  }

  test.each([...TEXTS.matchAll(LINE)].map(([line, words = '', rest = '']) => [line.trim(), words, rest]))(
    'knows %s',
    (_, words, rest) => {
      const known = find(words?.split(/[ `\n]/).filter((word) => word !== '') ?? []);
      const flags = [...(rest ?? '').matchAll(/--([\w-]+)/g)].map(([, flag]) => flag);
      expect([...(known ?? []), ...Object.keys(globalFlags)]).toEqual(expect.arrayContaining(flags));
      expect(known).toBeDefined();
    },
  );
});

test('docs/operating.md has every column of the counters under its number', () => {
  for (const [index, column] of BLOBS.entries()) {
    expect(OPERATING).toMatch(new RegExp(`\\| .*\`blob${index + 1}\` \\| \`${column}\` \\|`));
  }
  for (const [index, column] of DOUBLES.entries()) {
    expect(OPERATING).toMatch(new RegExp(`\\| \`double${index + 1}\` \\| \`${column}\` \\|`));
  }
});
