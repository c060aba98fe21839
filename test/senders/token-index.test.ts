import { expect, test } from 'vitest';
import { buildTokenIndex } from '../../src/senders/token-index.ts';

const SENDER = { name: 'hotel-a', tokenNumber: 1 };
const ABC = 'sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';

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

test('`buildTokenIndex()` finds nobody in an empty book', async () => {
  expect(await (await buildTokenIndex([])).find('one')).toBeUndefined();
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
