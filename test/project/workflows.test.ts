/** What the workflows run has the secrets of a whole account. */

import { globSync, readFileSync } from 'node:fs';
import { parseYaml } from '@redocly/openapi-core';
import { expect, test } from 'vitest';
import { environments } from '../../src/cli/environments.ts';

interface Step {
  readonly uses?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Job {
  readonly steps?: readonly Step[];
  readonly with?: { readonly environment: string };
  readonly strategy?: { readonly matrix: { readonly environment: readonly string[] } };
}

interface Workflow {
  readonly jobs: Readonly<Record<string, Job>>;
}

const WORKFLOWS = globSync('.github/workflows/*.yml')
  .sort()
  .map((file) => {
    const text = readFileSync(file, 'utf8');
    const { jobs, ...rest } = parseYaml(text) as Workflow;
    return { file, text, jobs: Object.values(jobs), rest };
  });

test.each(WORKFLOWS)('$file runs actions of others at a commit, with the release beside it', ({ jobs, text }) => {
  const used = jobs.flatMap(({ steps = [] }) => steps.flatMap(({ uses }) => uses ?? []));
  for (const action of used) {
    expect(action).toMatch(/^actions\/[\w-]+@[\da-f]{40}$/);
    expect(text).toMatch(new RegExp(`${RegExp.escape(action)} # v\\d+\\.\\d+\\.\\d+$`, 'm'));
  }
});

test.each(WORKFLOWS)('$file gives secrets to single steps and lets no checkout keep a token', ({ jobs, rest }) => {
  const outsideOfSteps = [rest, ...jobs.map(({ steps: _, ...job }) => job)];
  expect(JSON.stringify(outsideOfSteps)).not.toMatch(/\bsecrets\.\w/);
  const checkouts = jobs.flatMap(({ steps = [] }) => steps.filter(({ uses }) => uses?.startsWith('actions/checkout@')));
  for (const checkout of checkouts) expect(checkout.with).toMatchObject({ 'persist-credentials': false });
});

test('every environment is deployed', () => {
  const { jobs = [] } = WORKFLOWS.find(({ file }) => file.endsWith('check-and-deploy.yml')) ?? {};
  const deployed = jobs.flatMap(
    ({ strategy, with: given }) => strategy?.matrix.environment ?? given?.environment ?? [],
  );
  expect(deployed.sort()).toEqual([...environments()].sort());
});
