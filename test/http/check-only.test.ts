import { expect, test } from 'vitest';
import { ENDPOINT_PATH } from '../../src/contract/endpoint.ts';
import { intentionOf } from '../../src/http/check-only.ts';

test.each([
  ['', 'store'],
  ['?', 'store'],
  ['?checked', 'store'],
  ['?q=check', 'store'],
  ['?check=false', 'store'],
  ['?check=0', 'store'],
  ['?check=No', 'store'],
  ['?check=OFF', 'store'],
  ['?check', 'check'],
  ['?check=', 'check'],
  ['?check=1', 'check'],
  ['?check=true', 'check'],
  ['?check=True', 'check'],
  ['?check=YES', 'check'],
  ['?check=on', 'check'],
  ['?check=%20true', 'check'],
  ['?Check=true', 'check'],
  ['?utm_source=pms&check', 'check'],
  ['?check&check=1', 'check'],
  ['?check=pms-42', 'unclear'],
  ['?check=2', 'unclear'],
  ['?check=truee', 'unclear'],
  ['?check=1&check=0', 'unclear'],
])('`intentionOf()` of "%s" is %s', (query, expected) => {
  expect(intentionOf(`https://intake.example${ENDPOINT_PATH}${query}`)).toBe(expected);
});
