import { describe, expect, test } from 'vitest';
import { isSender, maySendFor, ROLES } from '../../src/senders/sender.ts';

test('`isSender()` takes a sender without a role for one, and no other role', () => {
  const senders = [undefined, ...ROLES].filter((role) => isSender({ name: 'a', ...(role !== undefined && { role }) }));
  expect(senders).toEqual([undefined, 'sender']);
});

describe('maySendFor()', () => {
  test.each([
    [undefined, 'anything', true],
    [['int-1'], 'int-1', true],
    [['int-1'], 'int-10', false],
    [['int-1'], 'INT-1', false],
    [['int-*'], 'int-', true],
    [['int-*'], 'int-77', true],
    [['int-*'], 'in', false],
    [['*'], 'anything', true],
    [['a', 'b*'], 'bcd', true],
  ])('with %j answers for %s: %s', (integrations, integrationId, expected) => {
    const sender = { name: 'a', ...(integrations !== undefined && { integrations }) };
    expect(maySendFor(sender, integrationId)).toBe(expected);
  });
});
