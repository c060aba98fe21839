import { describe, expect, test } from 'vitest';
import { readSenders } from '../../src/senders/read-senders.ts';

const TOKEN = 'a-token-that-is-long-enough-to-be-one';
const DIGEST = `sha256:${'0a'.repeat(32)}`;

const OPEN = `{"tokens":["${TOKEN}"]}`;
const LIMITED = `{"tokens":["${TOKEN}"], "integrations":["quoted \\"a\\": {", "b"]}`;

describe('readSenders()', () => {
  test('reads senders, their tokens and what they may send for', () => {
    const text = JSON.stringify({
      'hotel-a': { tokens: [`${TOKEN}\n`] },
      chain: { tokens: [TOKEN.toUpperCase(), DIGEST], integrations: ['int-1', 'chain-*'] },
    });
    expect(readSenders(text)).toEqual({
      ok: true,
      value: [
        { name: 'hotel-a', tokens: [TOKEN] },
        { name: 'chain', tokens: [TOKEN.toUpperCase(), DIGEST], integrations: ['int-1', 'chain-*'] },
      ],
    });
  });

  test('reads roles, and digests in capitals', () => {
    const text = JSON.stringify({ a: { tokens: [DIGEST.toUpperCase()], role: 'reader' } });
    expect(readSenders(text)).toEqual({ ok: true, value: [{ name: 'a', tokens: [DIGEST], role: 'reader' }] });
  });

  test.each([
    ['text', `{"a": ${TOKEN}}`, 'is not JSON'],
    ['a list', [TOKEN], /^sender 1/],
    ['a token alone', `"${TOKEN}"`, 'is not a JSON object of senders by name'],
    ['a token where the name belongs', { [TOKEN]: 'hotel-a' }, 'sender 1 is not an object of "tokens"'],
    ['a name with a blank', { 'hotel a': { tokens: [TOKEN] } }, 'sender 1 has a name that is not'],
    ['the name of API_TOKEN', { default: { tokens: [TOKEN] } }, 'sender 1 is named "default"'],
    ['a name that a record leaves out', `{"__proto__": {"tokens": ["${TOKEN}"]}}`, 'has a sender named as one of'],
    ['no tokens', { a: { tokens: [TOKEN] }, b: {} }, 'sender 2, tokens is not an object of "tokens"'],
    ['an empty list of tokens', { a: { tokens: [] } }, 'sender 1, tokens is empty'],
    ['a short token', { a: { tokens: [TOKEN, TOKEN.slice(0, 31)] } }, 'sender 1, tokens[1] is neither a token'],
    ['half a digest', { a: { tokens: [DIGEST.slice(0, -1)] } }, 'sender 1, tokens[0] is neither a token'],
    [
      'a digest with another sign',
      { a: { tokens: [DIGEST.replace(':', '-')] } },
      'sender 1, tokens[0] is neither a token',
    ],
    [
      'half a digest in capitals',
      { a: { tokens: [DIGEST.slice(0, -1).toUpperCase()] } },
      'sender 1, tokens[0] is neither',
    ],
    [
      'a role that there is not',
      { a: { tokens: [TOKEN], role: 'admin' } },
      'sender 1, role is not one of sender, reader',
    ],
    [
      'a reader with a status',
      { a: { tokens: [TOKEN], role: 'reader', accepted_status: 200 } },
      'sender 1 sends nothing',
    ],
    ['a reader that sends', { a: { tokens: [TOKEN], role: 'reader', integrations: ['x'] } }, 'sender 1 sends nothing'],
    ['a token that is no text', { a: { tokens: [7] } }, 'sender 1, tokens[0] is not a string'],
    ['a misspelt field', { a: { tokens: [TOKEN], integration: ['x'] } }, 'sender 1 is not an object of "tokens"'],
    ['a token as a field', { a: { [TOKEN]: true, tokens: [TOKEN] } }, 'sender 1 is not an object of "tokens"'],
    ['a list that allows nothing', { a: { tokens: [TOKEN], integrations: [] } }, 'sender 1, integrations is empty'],
    ['a star in the middle', { a: { tokens: [TOKEN], integrations: ['x*y'] } }, 'sender 1, integrations[0] is neither'],
    ['a sender twice', `{"a":${LIMITED}, "b":${LIMITED}, "a":${OPEN}}`, 'sender 3 has the name of an earlier one'],
    ['a sender twice, once escaped', `{"a":${LIMITED}, "\\u0061":${OPEN}}`, 'sender 2 has the name of an earlier one'],
    ['a limit twice', `{"a":${LIMITED.replace('}', ', "integrations":["*"]}')}}`, 'sender 1 has a member twice'],
    [
      'a limit twice, of another than the first',
      `{"a":${LIMITED},"b":${LIMITED.replace('}', ', "integrations":["*"]}')}}`,
      'sender 2 has a member twice',
    ],
    ['a blank integration', { a: { tokens: [TOKEN], integrations: [' '] } }, 'sender 1, integrations[0] is neither'],
  ])('names what is wrong with %s, and shows no token', (_, value, message) => {
    const read = readSenders(typeof value === 'string' ? value : JSON.stringify(value));
    const error = read.ok ? undefined : read.error;
    expect(error).toMatch(message);
    expect(error).not.toContain(TOKEN.slice(0, 31));
  });
});
