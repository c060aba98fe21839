import { expect, test } from 'vitest';
import { idempotencyKeyOf } from '../../src/intake/request-headers.ts';

test.each([
  [{}, null],
  [{ 'Idempotency-Key': ' k ' }, 'k'],
  [{ 'webhook-id': 'w', 'ce-id': 'c' }, 'w'],
  [{ 'Idempotency-Key': '', 'webhook-id': ' ', 'ce-id': 'c' }, 'c'],
  [{ 'Idempotency-Key': 'k', 'webhook-id': 'w', 'ce-id': 'c' }, 'k'],
])('`idempotencyKeyOf()` reads %j', (headers, key) => {
  expect(idempotencyKeyOf(new Headers(headers))).toBe(key);
});
