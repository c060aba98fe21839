import { expect, test } from 'vitest';
import { normalise } from '../../src/contract/normalise.ts';
import { unknownNamesOf, wrappingOf } from '../../src/contract/wrapping.ts';
import { FULL_EVENT, inSnakeCase, SMALL_EVENT } from '../sample.ts';

test.each([
  [{ data: FULL_EVENT }, 'object'],
  [{ IntegrationId: 'i', PropertyId: 'p', reservation: inSnakeCase(FULL_EVENT) }, 'object'],
  [{ events: [SMALL_EVENT, SMALL_EVENT] }, 'list'],
  [{ body: JSON.stringify(FULL_EVENT) }, 'text'],
  [{ data: { attributes: FULL_EVENT } }, 'deeper'],
  [{ no: null, text: 'x', a: { b: { c: FULL_EVENT } } }, 'deeper'],
  [{ a: { b: { c: { d: { e: FULL_EVENT } } } } }, undefined],
  [{ body: '{no json' }, undefined],
  [{ data: [] }, undefined],
  [{ data: [null] }, undefined],
  [{ data: null }, undefined],
  [{ EnterpriseId: 'e', IntegrationId: 'i', Events: [{ Discriminator: 'x', Value: { Id: 'o' } }] }, undefined],
  [{ ...SMALL_EVENT, EndUtc: null, previous: SMALL_EVENT }, undefined],
  [{ id: 'h-1', topic: 'system' }, undefined],
  [{}, undefined],
])('`wrappingOf()` tells where the fields seem to be in %j', (payload, wrapping) => {
  const result = normalise(payload);
  expect(result.ok ? 'accepted' : wrappingOf(result.error)).toBe(wrapping);
});

test('`unknownNamesOf()` tells no name that may be a value', () => {
  const names = ['address2', 'Room Nr', 'rate_2026'];
  const values = ['card-4111-1111-1111-1111', 'tel420777123456', 'stay 2026-07-10', 'guest@hotel.example', '101'];
  const result = normalise(Object.fromEntries([...names, ...values].map((name) => [name, 1])));
  expect(result.ok ? 'accepted' : unknownNamesOf(result.error)).toEqual({ names, more: values.length });
});

test('`unknownNamesOf()` tells nothing where no required field is missing', () => {
  const result = normalise({ ...SMALL_EVENT, ReservationState: 'Confused', address2: 'x' });
  expect(result.ok ? 'accepted' : unknownNamesOf(result.error)).toEqual({ names: [], more: 0 });
});
