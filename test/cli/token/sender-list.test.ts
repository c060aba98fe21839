import { describe, expect, test } from 'vitest';
import { digestOf } from '../../../src/cli/token/new-token.ts';
import {
  addSender,
  digestsOf,
  NO_SENDERS,
  rotate,
  type SenderList,
  secretsOf,
  withoutTokens,
} from '../../../src/cli/token/sender-list.ts';
import { readSenders } from '../../../src/senders/read-senders.ts';
import type { Sender } from '../../../src/senders/sender.ts';

describe('addSender()', () => {
  test('makes a strong token and keeps nothing but its digest', () => {
    const { list, token } = addSender(NO_SENDERS, { name: 'hotel-a', integrations: ['int-*'] });
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(list.senders).toEqual({ 'hotel-a': { tokens: [digestOf(token)], integrations: ['int-*'] } });
    expect(addSender(NO_SENDERS, { name: 'hotel-a' }).token).not.toBe(token);
  });

  test.each(['operator', 'reader'] as const)('makes an entry with the role %s, which can be read back', (role) => {
    const { list } = addSender(NO_SENDERS, { name: 'a', role });
    const read = readSenders(JSON.stringify(list.senders));
    expect(read).toMatchObject({ ok: true, value: [{ name: 'a', role }] });
  });

  test.each<[Sender, string]>([
    [{ name: 'taken' }, 'there is a sender of that name'],
    [{ name: 'a b' }, 'has a name that is not'],
    [{ name: '' }, 'has a name that is not'],
    [{ name: 'default' }, 'it is named "default", which is the sender of API_TOKEN'],
    [{ name: 'a', role: 'reader', integrations: ['int-1'] }, 'sends nothing in its role'],
    [{ name: 'constructor' }, 'choose another name'],
    [{ name: '__proto__' }, 'choose another name'],
    [{ name: 'a', integrations: ['x*y'] }, 'is neither an IntegrationId nor'],
  ])('refuses %j', (sender, message) => {
    const { list } = addSender(NO_SENDERS, { name: 'taken' });
    expect(() => addSender(list, sender)).toThrow(message);
  });
});

test('`addSender()` takes a name that objects have by themselves', () => {
  const { list } = addSender(NO_SENDERS, { name: 'toString' });
  expect(readSenders(JSON.stringify(list.senders))).toMatchObject({ ok: true, value: [{ name: 'toString' }] });
});

test('a rotation leaves the old token in place until it is revoked', () => {
  const first = addSender(NO_SENDERS, { name: 'hotel-a', integrations: ['int-1'] });
  const second = rotate(first.list, 'hotel-a');
  const both = [digestOf(first.token), digestOf(second.token)];
  expect(second.list.senders['hotel-a']).toEqual({ tokens: both, integrations: ['int-1'] });
  expect(digestsOf(second.list, 'hotel-a', true)).toEqual(both.slice(0, 1));
  expect(withoutTokens(second.list, both.slice(0, 1))).toEqual({
    senders: { 'hotel-a': { tokens: both.slice(1), integrations: ['int-1'] } },
  });
  expect(() => digestsOf(first.list, 'hotel-a', true)).toThrow('it has one only');
  expect(digestsOf(second.list, 'hotel-a', false)).toEqual(both);
  expect(withoutTokens(second.list, both)).toEqual(NO_SENDERS);
});

test('`withoutTokens()` takes out the token, and the sender that has no other', () => {
  const token = 'a-token-that-was-written-into-the-list-by-hand';
  const senders = {
    a: { tokens: [token, digestOf('b')] },
    b: { tokens: [digestOf(token)] },
    c: { tokens: [digestOf('c')] },
  };
  expect(withoutTokens({ senders }, [digestOf(token)])).toEqual({
    senders: { a: { tokens: [digestOf('b')] }, c: senders.c },
  });
  expect(withoutTokens({ senders }, [digestOf('unknown')])).toEqual({ senders });
});

test.each([rotate, digestsOf])('`%o` names the senders there are when there is none of the name', (change) => {
  const { list } = addSender(NO_SENDERS, { name: 'hotel-a' });
  for (const name of ['hotel-b', 'constructor', 'toString']) {
    expect(() => change(list, name, false)).toThrow(`Cannot find the sender ${name}; there are: hotel-a`);
  }
});

describe('secretsOf()', () => {
  function listOf(count: number): SenderList {
    const names = Array.from({ length: count - 1 }, (_, number) => `sender-${number}`);
    const senders = Object.fromEntries(names.map((name) => [name, { tokens: [digestOf(name)] }]));
    return addSender({ ...NO_SENDERS, senders }, { name: 'the-last' }).list;
  }

  test('is one secret for a few senders, and as many as it takes for a thousand', () => {
    expect(Object.keys(secretsOf(listOf(3), []))).toEqual(['API_TOKENS']);
    const secrets = secretsOf(listOf(1_000), ['API_TOKEN', 'PSEUDONYM_KEY']);
    expect(Object.keys(secrets)[1]).toBe('API_TOKENS_2');
    const names = Object.values(secrets).flatMap((text) => {
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(5_000);
      const read = readSenders(text);
      return read.ok ? read.value.map(({ name }) => name) : [];
    });
    expect(new Set(names).size).toBe(1_000);
  });

  test('empties the secrets that a longer list has left in what is deployed, and no other', () => {
    const before = secretsOf(listOf(1_000), []);
    const deployed = [...Object.keys(before), 'API_TOKEN', 'ALERT_WEBHOOK'];
    const after = secretsOf(listOf(3), deployed);
    expect(Object.keys(after)).toEqual(Object.keys(before));
    expect(Object.values(after).filter((text) => text !== '{}')).toEqual([after.API_TOKENS]);
  });

  test('refuses a sender that fits into no secret', () => {
    const integrations = Array.from({ length: 500 }, (_, number) => `integration-${number}`);
    expect(() => addSender(NO_SENDERS, { name: 'hotel-a', integrations })).toThrow('shorten its integrations');
  });
});
