import { expect, test } from 'vitest';
import { normalise } from '../../src/contract/normalise.ts';
import { wrappingOf } from '../../src/contract/wrapping.ts';
import { FULL_EVENT, SMALL_EVENT } from '../sample.ts';

test.each([
  [{ data: FULL_EVENT }, 'object'],
  [{ IntegrationId: 'i', PropertyId: 'p', reservation: respell(FULL_EVENT) }, 'object'],
  [{ events: [SMALL_EVENT, SMALL_EVENT] }, 'list'],
  [{ body: JSON.stringify(FULL_EVENT) }, 'text'],
  [{ body: '{no json' }, undefined],
  [{ data: [] }, undefined],
  [{ EnterpriseId: 'e', IntegrationId: 'i', Events: [{ Discriminator: 'x', Value: { Id: 'o' } }] }, undefined],
  [{ ...SMALL_EVENT, EndUtc: null, previous: SMALL_EVENT }, undefined],
  [{ id: 'h-1', topic: 'system' }, undefined],
  [{}, undefined],
])('`wrappingOf()` tells where the fields seem to be in %j', (payload, wrapping) => {
  const result = normalise(payload);
  expect(result.ok ? 'accepted' : wrappingOf(result.error)).toBe(wrapping);
});

/** The same members under names in snake case. */
function respell(event: object): object {
  const names = Object.entries(event).map(([name, value]) => [
    name.replace(/\B[A-Z]/g, (letter) => `_${letter}`).toLowerCase(),
    value,
  ]);
  return Object.fromEntries(names);
}
