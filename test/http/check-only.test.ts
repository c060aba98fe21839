import { expect, test } from 'vitest';
import { ENDPOINT_PATH } from '../../src/contract/endpoint.ts';
import { isCheckOnly } from '../../src/http/check-only.ts';

test.each([
  ['?check', true],
  ['?check=', true],
  ['?check=1', true],
  ['?check=true', true],
  ['?check=false', false],
  ['?check=0', false],
  ['?check=pms-42', false],
  ['?utm_source=pms&check', true],
  ['', false],
  ['?', false],
  ['?checked', false],
  ['?Check', false],
  ['?q=check', false],
])('`isCheckOnly()` of "%s" is %s', (query, expected) => {
  expect(isCheckOnly(`https://intake.example${ENDPOINT_PATH}${query}`)).toBe(expected);
});
