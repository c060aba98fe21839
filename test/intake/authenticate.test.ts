import { describe, expect, test } from 'vitest';
import { authenticate } from '../../src/intake/authenticate.ts';
import { digestOf } from '../../src/token-digest.ts';

const tokens = [await digestOf('alpha', 'token-1'), await digestOf('beta', 'tökén "2"')];

function sender(headers: Record<string, string> | [string, string][]) {
  return authenticate(new Headers(headers), tokens);
}

describe('authenticate()', () => {
  test.each([
    'Bearer token-1',
    'bearer token-1',
    'BEARER token-1',
    'Bearer   token-1',
    'Bearer\ttoken-1',
    '  Bearer token-1  ',
    'Bearer "token-1"',
  ])('finds the sender of %j', async (value) => {
    expect(await sender({ Authentication: value })).toBe('alpha');
  });

  test('reads Authorization when Authentication is absent, and only then', async () => {
    expect(await sender({ Authorization: 'Bearer token-1' })).toBe('alpha');
    expect(await sender({ Authentication: 'Bearer wrong', Authorization: 'Bearer token-1' })).toBeUndefined();
    expect(await sender({ Authentication: '', Authorization: 'Bearer token-1' })).toBeUndefined();
  });

  test('tells senders apart', async () => {
    expect(
      await authenticate(new Headers({ Authentication: 'Bearer token-2' }), [
        ...tokens,
        await digestOf('gamma', 'token-2'),
      ]),
    ).toBe('gamma');
  });

  test.each([
    '',
    'Bearer',
    'Bearer ',
    'Bearer ""',
    'token-1',
    'Basic token-1',
    'Bearertoken-1',
    'Bearer token-1x',
    'Bearer token-',
    'Bearer TOKEN-1',
    'Bearer token-1, Bearer token-1',
    'Bearer token-1 token-1',
    'Bearer "token-1',
    'Bearer t\u00e9k\u00e9n',
  ])('finds nobody for %j', async (value) => {
    expect(await sender({ Authentication: value })).toBeUndefined();
  });

  test('finds nobody for a header that was sent twice', async () => {
    expect(
      await sender([
        ['Authentication', 'Bearer token-1'],
        ['Authentication', 'Bearer token-1'],
      ]),
    ).toBeUndefined();
  });

  test('finds nobody when no header was sent', async () => {
    expect(await sender({})).toBeUndefined();
  });
});
