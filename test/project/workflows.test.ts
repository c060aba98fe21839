/** The workflows, as text: what they run has the secrets of a whole account. */

import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { environments } from '../../src/cli/environments.ts';

const FILES = globSync('.github/workflows/*.yml').sort();
const WORKFLOWS = FILES.map((file) => [file, readFileSync(file, 'utf8')] as const);

test.each(WORKFLOWS)('%s runs actions of others at a commit, with the release beside it', (_, text) => {
  const used = [...text.matchAll(/uses: (?!\.\/)(.*)/g)].map(([, action]) => action);
  for (const action of used) expect(action).toMatch(/^actions\/[\w-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/);
});

test.each(WORKFLOWS)('%s gives secrets to single steps and lets no checkout keep a token', (_, text) => {
  // The env of a step is indented by ten.
  for (const [, indent] of text.matchAll(/^( *)\w+: .*\bsecrets\.\w/gm)) expect(indent).toHaveLength(10);
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0;
  expect(count(/persist-credentials: false/g)).toBe(count(/uses: actions\/checkout@/g));
});

test('every environment is deployed', () => {
  const [, text = ''] = WORKFLOWS.find(([file]) => file.endsWith('check-and-deploy.yml')) ?? [];
  const deployed = [...text.matchAll(/environment: (?:\[(.*)\]|([\w-]+))$/gm)].flatMap(([, list, one]) =>
    (list ?? one ?? '').split(', '),
  );
  expect(deployed.sort()).toEqual([...environments()].sort());
});
