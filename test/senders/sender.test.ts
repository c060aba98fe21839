import { describe, expect, test } from 'vitest';
import { maySendFor } from '../../src/senders/sender.ts';

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
