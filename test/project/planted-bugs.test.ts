/** The bugs that the simulation plants need their places in `src/`, which other changes move. */

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { applyChange } from '../simulation/change.ts';
import { PLANTED_BUGS } from '../simulation/planted-bugs.ts';

test.each(Object.entries(PLANTED_BUGS))('there is one place for: %s', (_, change) => {
  const source = readFileSync(`src/${change.file}`, 'utf8');
  expect(applyChange(source, change)).not.toBe(source);
});
