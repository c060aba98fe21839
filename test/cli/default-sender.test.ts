/** The sender of API_TOKEN and API_TOKEN_NEXT, as the list keeps it and as the service reads its secrets. */

import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { addSender, NO_SENDERS, revoke, revokeOld, rotate, secretsOf } from '../../src/cli/sender-list.ts';
import { readTokens } from '../../src/senders/read-secrets.ts';

const NAME = 'default';
const digestOf = (token: string) => `sha256:${createHash('sha256').update(token).digest('hex')}`;
const NOBODYS = `sha256:${'0'.repeat(64)}`;

describe('secretsOf()', () => {
  test('leaves API_TOKEN alone while the list does not have the sender default', () => {
    expect(secretsOf(addSender(NO_SENDERS, { name: 'hotel-a' }).list)).not.toHaveProperty('API_TOKEN');
  });

  test('sets both secrets at every step of a rotation, so that no token of before stays in one', () => {
    const first = addSender(NO_SENDERS, { name: NAME });
    expect(secretsOf(first.list)).toMatchObject({ API_TOKEN: digestOf(first.token), API_TOKEN_NEXT: NOBODYS });
    const second = rotate(first.list, NAME);
    expect(secretsOf(second.list)).toMatchObject({
      API_TOKEN: digestOf(first.token),
      API_TOKEN_NEXT: digestOf(second.token),
    });
    expect(secretsOf(revokeOld(second.list, NAME))).toMatchObject({
      API_TOKEN: digestOf(second.token),
      API_TOKEN_NEXT: NOBODYS,
    });
    expect(secretsOf(revoke(second.list, NAME))).toMatchObject({ API_TOKEN: NOBODYS, API_TOKEN_NEXT: NOBODYS });
  });

  test('gives what the service reads without a fault', async () => {
    const { list } = rotate(addSender(NO_SENDERS, { name: NAME }).list, NAME);
    for (const at of [list, revokeOld(list, NAME), revoke(list, NAME)]) {
      expect((await readTokens(secretsOf(at))).faults).toEqual([]);
    }
  });
});

test('`rotate()` and `revokeOld()` say what to do when the tokens of default were set by hand', () => {
  for (const list of [NO_SENDERS, revoke(NO_SENDERS, NAME)]) {
    expect(() => rotate(list, NAME)).toThrow('new default replaces it, and revoke default takes it away');
    expect(() => revokeOld(list, NAME)).toThrow('new default replaces it, and revoke default takes it away');
  }
});

test('`rotate()` does not lose a token of default for want of a third secret', () => {
  const { list } = rotate(addSender(NO_SENDERS, { name: NAME }).list, NAME);
  expect(() => rotate(list, NAME)).toThrow('revoke default --old first');
});

test('`addSender()` gives default a token again only after all were revoked', () => {
  const { list } = addSender(NO_SENDERS, { name: NAME });
  expect(() => addSender(list, { name: NAME })).toThrow('rotate gives it a further one');
  expect(addSender(revoke(list, NAME), { name: NAME }).list.default).toHaveLength(1);
});
