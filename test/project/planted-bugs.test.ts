/** The bugs that the simulation plants need their places in `src/`, which other changes move. */

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { applyChange } from '../simulation/change.ts';
import { PLANTED_BUGS } from '../simulation/planted-bugs.ts';

test.each(Object.entries(PLANTED_BUGS))('there is one place for: %s', (_, change) => {
  const source = readFileSync(`src/${change.file}`, 'utf8');
  expect(applyChange(source, change)).not.toBe(source);
});

test('a place is found in whatever layout a formatter gives it', () => {
  const change = { file: 'a.ts', from: 'if (a) call(b, [c]);', to: 'b;' };
  for (const source of ['if (a) call(b, [c]);', 'if (\n  a\n)\n  call(\n    b,\n    [c,],\n  );']) {
    expect(applyChange(`x;${source}y;`, change)).toBe('x;b;y;');
  }
  expect(() => applyChange('if (a) call(b, [d]);', change)).toThrow('has 0 times');
  expect(() => applyChange('if (a) call(b, [c]);'.repeat(2), change)).toThrow('has 2 times');
});
