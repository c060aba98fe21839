/** The tests that a mutant is tried against: those of the projects that MUTATE_PROJECTS names. */

import { defineConfig } from 'vitest/config';
import base from '../../vitest.config.ts';

const chosen = new Set((process.env.MUTATE_PROJECTS ?? 'worker').split(','));
const { test, ...rest } = base;

export default defineConfig({
  ...rest,
  test: {
    ...test,
    projects: (test?.projects ?? []).filter(
      (project) => typeof project === 'object' && 'test' in project && chosen.has(String(project.test?.name)),
    ),
  },
});
