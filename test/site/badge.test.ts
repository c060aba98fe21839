import { expect, test } from 'vitest';
import { badge, toneOf } from '../../src/site/badge.ts';

test.each([
  [200, 'good'],
  [202, 'good'],
  [207, 'later'],
  [429, 'later'],
  [503, 'later'],
  [401, 'bad'],
  [undefined, 'bad'],
])('`toneOf()` tells whether %s is a success, or may pass later: %s', (status, tone) => {
  expect(toneOf(status)).toBe(tone);
  expect(badge(status).text).toBe(`<b class="badge ${tone}">${status ?? '–'}</b>`);
});
