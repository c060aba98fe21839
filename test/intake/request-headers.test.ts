import { expect, test } from 'vitest';
import { idempotencyKeyOf, networkOf } from '../../src/intake/request-headers.ts';

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

test.each([
  [{}, null],
  [{ 'Idempotency-Key': ' k ' }, 'k'],
  [{ 'webhook-id': 'w', 'ce-id': 'c' }, 'w'],
  [{ 'Idempotency-Key': '', 'webhook-id': ' ', 'ce-id': 'c' }, 'c'],
  [{ 'Idempotency-Key': 'k', 'webhook-id': 'w', 'ce-id': 'c' }, 'k'],
])('`idempotencyKeyOf()` reads %j', (headers, key) => {
  expect(idempotencyKeyOf(new Headers(headers))).toBe(key);
});
