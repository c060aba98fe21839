import { describe, expect, test } from 'vitest';
import { authenticate, authorize } from '../../src/senders/authenticate.ts';
import { buildTokenIndex } from '../../src/senders/token-index.ts';

const tokens = await buildTokenIndex([
  { token: 'token-1', sender: { name: 'alpha', tokenNumber: 1 } },
  { token: 'tökén "2"', sender: { name: 'beta', tokenNumber: 1 } },
  { token: 'token-2', sender: { name: 'gamma', tokenNumber: 1 } },
]);

async function sender(headers: Record<string, string>): Promise<string> {
  const authenticated = await authenticate(new Headers(headers), {
    tokens,
    tokenFaults: [],
    wrongTokenRate: undefined,
  });
  return authenticated.ok ? authenticated.value.name : authenticated.error.reason;
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

  test('reads Authorization when Authentication holds no bearer token, and only then', async () => {
    expect(await sender({})).toBe('no_token');
    expect(await sender({ Authorization: 'Bearer token-1' })).toBe('alpha');
    const nothing = ['Bearer', 'Bearer \t ', 'Bearer ""', 'Bearer  " "', 'Basic dXNlcjpwYXNz'];
    for (const empty of ['', 'null', 'undefined', 'token-1', ...nothing]) {
      expect(await sender({ Authentication: empty, Authorization: 'Bearer token-1' })).toBe('alpha');
      expect(await sender({ Authentication: empty })).toBe('no_token');
    }
    expect(await sender({ Authentication: 'Bearer wrong', Authorization: 'Bearer token-1' })).toBe('unauthorized');
  });

  test.each([
    'Bearer "',
    'Bearer token-1x',
    'Bearer token-',
    'Bearer TOKEN-1',
    'Bearer "token-1',
    'Bearer t\u00e9k\u00e9n',
  ])('finds nobody for %j', async (value) => {
    expect(await sender({ Authentication: value })).toBe('unauthorized');
  });

  test.each([
    '',
    'Bearer',
    'Bearer ',
    'Bearer: token-1',
    'token-1',
    'Basic token-1',
    'Bearertoken-1',
    'Bearer Bearer token-1',
    'Bearer <token-1>',
    'Bearer {token}',
    'Bearer $TOKEN',
    'Bearer token-1, Bearer token-1',
    'Bearer token-1 token-1',
  ])('tells that there is no token in %j', async (value) => {
    expect(await sender({ Authentication: value })).toBe('no_token');
  });

  test('is closed when there is no token', async () => {
    const config = { tokens: await buildTokenIndex([]), tokenFaults: [], wrongTokenRate: undefined };
    const authenticated = await authenticate(new Headers({ Authentication: 'Bearer ' }), config);
    expect(authenticated).toEqual({ ok: false, error: { reason: 'not_configured' } });
  });

  test('does not call a token wrong while some senders cannot be read', async () => {
    const config = { tokens, tokenFaults: ['API_TOKENS: is not JSON'], wrongTokenRate: undefined };
    const known = await authenticate(new Headers({ Authentication: 'Bearer token-1' }), config);
    expect(known.ok).toBe(true);
    const unknown = await authenticate(new Headers({ Authentication: 'Bearer token-3' }), config);
    expect(unknown).toEqual({ ok: false, error: { reason: 'not_configured' } });
  });
});

test.each([
  ['reader', ['reader', 'operator'], 'alpha'],
  ['operator', ['reader', 'operator'], 'alpha'],
  ['sender', ['reader', 'operator'], 'forbidden_role'],
  [undefined, ['reader', 'operator'], 'forbidden_role'],
  [undefined, ['sender'], 'alpha'],
  ['reader', ['sender', 'operator'], 'forbidden_role'],
] as const)('`authorize()` of a token with the role %s where %j may ask: %s', async (role, roles, expected) => {
  const holder = { name: 'alpha', tokenNumber: 1, ...(role !== undefined && { role }) };
  const config = {
    tokens: await buildTokenIndex([{ token: 'token-1', sender: holder }]),
    tokenFaults: [],
    wrongTokenRate: undefined,
    revoked: { isKnown: () => false, has: async () => false },
  };
  const asked = await authorize(new Headers({ Authorization: 'Bearer token-1' }), config, roles);
  expect(asked.ok ? asked.value.name : asked.error.reason).toBe(expected);
  const wrong = await authorize(new Headers({ Authorization: 'Bearer token-2' }), config, roles);
  expect(wrong).toEqual({ ok: false, error: { reason: 'unauthorized' } });
});
