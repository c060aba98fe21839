import { describe, expect, test } from 'vitest';
import { readTokens } from '../../src/senders/read-secrets.ts';

const [A, B, C] = ['a', 'b', 'c'].map((letter) => letter.repeat(32)) as [string, string, string];

describe('readTokens()', () => {
  test('trims the simple tokens and leaves blank ones out', () => {
    const read = readTokens({ API_TOKEN: ' one\n', API_TOKEN_NEXT: ' \n', API_TOKENS: '' });
    expect(read).toEqual({ tokens: [{ token: 'one', sender: { name: 'default', tokenNumber: 1 } }], faults: [] });
  });

  test('puts the senders of every numbered secret together', () => {
    const { tokens, faults } = readTokens({
      API_TOKENS: JSON.stringify({ first: { tokens: [A, B], integrations: ['x*'] } }),
      API_TOKENS_2: JSON.stringify({ second: { tokens: [C] } }),
    });
    expect(faults).toEqual([]);
    expect(tokens).toEqual([
      { token: A, sender: { name: 'first', integrations: ['x*'], tokenNumber: 1 } },
      { token: B, sender: { name: 'first', integrations: ['x*'], tokenNumber: 2 } },
      { token: C, sender: { name: 'second', tokenNumber: 1 } },
    ]);
  });

  test('keeps the tokens that can be read when one secret cannot be', () => {
    const { tokens, faults } = readTokens({
      API_TOKEN: 'one',
      API_TOKENS: '{',
      API_TOKENS_2: JSON.stringify({ second: { tokens: [C] } }),
    });
    expect(tokens.map(({ sender }) => sender.name)).toEqual(['default', 'second']);
    expect(faults).toEqual(['API_TOKENS: is not JSON']);
  });

  test.each([
    ['a sender in two secrets', { a: { tokens: [A] } }, { a: { tokens: [B] } }, 'two secrets name the same sender'],
    ['a token with two senders', { a: { tokens: [A] } }, { b: { tokens: [A] } }, 'a token stands there twice'],
  ])('finds %s', (_, one, two, fault) => {
    const { faults } = readTokens({ API_TOKENS: JSON.stringify(one), API_TOKENS_2: JSON.stringify(two) });
    expect(faults).toEqual([`API_TOKENS: ${fault}`]);
  });
});
