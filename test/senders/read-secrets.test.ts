import { describe, expect, test } from 'vitest';
import { readTokens } from '../../src/senders/read-secrets.ts';

const [A, B, C] = ['a', 'b', 'c'].map((letter) => letter.repeat(32)) as [string, string, string];

describe('readTokens()', () => {
  test('trims the simple tokens and leaves blank ones out', async () => {
    const read = await readTokens({ API_TOKEN: ` ${A}\n`, API_TOKEN_NEXT: ' \n', API_TOKENS: '' });
    expect(read).toEqual({ tokens: [{ token: A, sender: { name: 'default', tokenNumber: 1 } }], faults: [] });
  });

  test('puts the senders of every numbered secret together', async () => {
    const { tokens, faults } = await readTokens({
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

  test('keeps the tokens that can be read when one secret cannot be', async () => {
    const { tokens, faults } = await readTokens({
      API_TOKEN: A,
      API_TOKENS: '{',
      API_TOKENS_2: JSON.stringify({ second: { tokens: [C] } }),
    });
    expect(tokens.map(({ sender }) => sender.name)).toEqual(['default', 'second']);
    expect(faults).toEqual(['API_TOKENS: is not JSON']);
  });

  test.each([
    ['a sender in two secrets', { a: { tokens: [A] } }, { a: { tokens: [B] } }, 'two secrets name the same sender'],
    ['a token with two senders', { a: { tokens: [A] } }, { b: { tokens: [A] } }, 'a token is listed twice'],
  ])('finds %s', async (_, one, two, fault) => {
    const { faults } = await readTokens({ API_TOKENS: JSON.stringify(one), API_TOKENS_2: JSON.stringify(two) });
    expect(faults).toEqual([`API_TOKENS: ${fault}`]);
  });

  test.each(['API_TOKEN', 'API_TOKEN_NEXT'])(
    'refuses a short %s where it is deployed, and there only',
    async (name) => {
      const short = { [name]: 'guess-me', API_TOKENS: JSON.stringify({ a: { tokens: [A] } }) };
      const { tokens, faults } = await readTokens(short);
      expect(tokens.map(({ sender }) => sender.name)).toEqual(['a']);
      expect(faults).toEqual([expect.stringMatching(`^${name}: is neither a token of at least 32 characters`)]);
      expect(faults.join()).not.toContain('guess-me');
      expect(await readTokens({ ...short, ACCEPT_SHORT_TOKENS: 'true' })).toMatchObject({
        faults: [],
        tokens: [{}, {}],
      });
    },
  );

  test.each([
    ['API_TOKEN', 12_345],
    ['API_TOKENS', { a: { tokens: [A] } }],
    ['API_TOKENS_2', 7],
    ['API_TOKENS', [A]],
    ['API_TOKEN_NEXT', false],
  ])('names %s when it is %j and no text', async (name, value) => {
    const { tokens, faults } = await readTokens(JSON.parse(JSON.stringify({ [name]: value })));
    expect(tokens).toEqual([]);
    expect(faults).toEqual([`${name}: is not text; in wrangler.toml, write it in quotes`]);
  });
});
