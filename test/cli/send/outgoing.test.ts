import { expect, test } from 'vitest';
import { withKeys } from '../../../src/cli/send/outgoing.ts';

async function keysOf(...bodies: string[]) {
  async function* events() {
    for (const [at, body] of bodies.entries()) yield { line: at + 1, body };
  }
  return (await Array.fromAsync(withKeys(events()))).map(({ key }) => key);
}

test('`withKeys()` gives the same event the same key wherever it stands, and equal ones different keys', async () => {
  const [a, b, again] = await keysOf('a', 'b', 'a');
  expect(new Set([a, b, again]).size).toBe(3);
  expect(await keysOf('new', 'b', 'a', 'a')).toEqual([expect.any(String), b, a, again]);
});

test.each([
  ['{"ReservationId":"r 1"}', 'r 1'],
  ['{"ReservationId":" r1 "}', 'r1'],
  ['{"reservation_ID":17}', '17'],
  ['{"ReservationId":null,"reservationId":"r1"}', 'r1'],
  ['{"reservationId":"r1","ReservationId":"r2"}', 'r2'],
  ['{"ReservationId":" "}', undefined],
  ['{"PropertyId":"p"}', undefined],
  ['[{"ReservationId":"r1"}]', undefined],
  ['{not json', undefined],
])('`withKeys()` finds the reservation of %s', async (body, reservation) => {
  async function* events() {
    yield { line: 1, body };
  }
  expect(await Array.fromAsync(withKeys(events()))).toMatchObject([{ line: 1, body, reservation }]);
});

test.each([
  ['{"ReservationId":"r1"}', 88],
  ['"é"', 70],
  ['{not json', Number.POSITIVE_INFINITY],
])('`withKeys()` says how many bytes %s has in a batch', async (body, bytes) => {
  async function* events() {
    yield { line: 1, body };
  }
  expect(await Array.fromAsync(withKeys(events()))).toMatchObject([{ bytes }]);
});
