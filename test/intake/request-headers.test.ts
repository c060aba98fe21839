import { expect, test } from 'vitest';
import { networkOf } from '../../src/intake/request-headers.ts';

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::6', '2001:db8:1:2::/64'],
  ['2001:db8:1::6', '2001:db8:1:0::/64'],
  ['2001:db8::', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['', ''],
])('`networkOf()` puts %s into %s', (address, network) => {
  expect(networkOf(new Headers({ 'CF-Connecting-IP': address }))).toBe(network);
});

test('`networkOf()` takes requests without an address for one network', () => {
  expect(networkOf(new Headers())).toBe('');
});
