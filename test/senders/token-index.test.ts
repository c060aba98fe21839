import { afterEach, expect, test, vi } from 'vitest';
import { buildTokenIndex } from '../../src/senders/token-index.ts';

const SENDER = { name: 'hotel-a', tokenNumber: 1 };
const ABC = 'sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';

afterEach(() => {
  vi.restoreAllMocks();
});

test('`buildTokenIndex()` finds the holder of a token by the token or by its digest', async () => {
  const book = await buildTokenIndex([
    { token: 'one', sender: SENDER },
    { token: ABC, sender: { name: 'by-digest', tokenNumber: 1 } },
  ]);
  expect(book.size).toBe(2);
  expect(await book.find('one')).toMatchObject(SENDER);
  expect(await book.find('abc')).toMatchObject({ name: 'by-digest', tokenDigest: ABC });
  const capitals = await buildTokenIndex([{ token: ABC.toUpperCase(), sender: SENDER }]);
  expect(await capitals.find('abc')).toMatchObject(SENDER);
  expect(await capitals.find(ABC.toUpperCase())).toBeUndefined();
});

test.each(['', 'on', 'onee', 'ONE', ABC, 'один', '\0'])('`buildTokenIndex()` finds nobody for %j', async (token) => {
  const book = await buildTokenIndex([
    { token: 'one', sender: SENDER },
    { token: ABC, sender: SENDER },
  ]);
  expect(await book.find(token)).toBeUndefined();
});

test('`buildTokenIndex()` keeps the last holder of a token', async () => {
  const book = await buildTokenIndex([
    { token: 'one', sender: { name: 'default', tokenNumber: 1 } },
    { token: 'one', sender: SENDER },
  ]);
  expect(book.size).toBe(1);
  expect(await book.find('one')).toMatchObject(SENDER);
});

test('`recognise()` knows a token once it was found, and nothing else', async () => {
  const book = await buildTokenIndex([{ token: 'one', sender: SENDER }]);
  expect(book.recognise('one')).toBeUndefined();
  await book.find('two');
  await book.find('one');
  expect(book.recognise('one')).toMatchObject(SENDER);
  for (const token of ['two', 'on', 'ONE', '__proto__', '']) expect(book.recognise(token)).toBeUndefined();
});

test('`find()` digests a wrong token once while it is remembered, and finds the right one all the same', async () => {
  const book = await buildTokenIndex([{ token: 'one', sender: SENDER }]);
  const digest = vi.spyOn(crypto.subtle, 'digest');
  expect(await book.find('two')).toBeUndefined();
  expect(await book.find('two')).toBeUndefined();
  expect(digest).toHaveBeenCalledTimes(1);
  expect(await book.find('one')).toMatchObject(SENDER);
});

test('`find()` forgets wrong tokens when many others come, and never remembers a long one', async () => {
  const book = await buildTokenIndex([{ token: 'one', sender: SENDER }]);
  const digest = vi.spyOn(crypto.subtle, 'digest');
  const askedFor = async (...tokens: readonly string[]) => {
    digest.mockClear();
    for (const token of tokens) expect(await book.find(token)).toBeUndefined();
    return digest.mock.calls.length;
  };
  const others = Array.from({ length: 100 }, (_, number) => `other-${number}`);
  expect(await askedFor('two', ...others, 'two')).toBe(102);
  expect(await askedFor('two')).toBe(0);
  const long = 'x'.repeat(1_000);
  expect(await askedFor(long, long)).toBe(2);
});
