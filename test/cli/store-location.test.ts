import { expect, test } from 'vitest';
import { storeLocation } from '../../src/cli/store-location.ts';

const KEYS = { R2_ACCESS_KEY_ID: 'id', R2_SECRET_ACCESS_KEY: 'secret' };

test('`storeLocation()` reads an address and leaves slashes at its end out', () => {
  expect(storeLocation({ ...KEYS, R2_URL: 'https://a.r2.cloudflarestorage.com/b//' }).url).toBe(
    'https://a.r2.cloudflarestorage.com/b',
  );
});

test.each([
  [{ ...KEYS }, 'R2_URL is not set'],
  [
    { ...KEYS, R2_URL: 'a.r2.cloudflarestorage.com/b' },
    'R2_URL is not a URL; write all of it, beginning with https://',
  ],
  [{ ...KEYS, R2_URL: 'r2://b' }, 'R2_URL is not a URL'],
])('`storeLocation()` refuses %j', (env, message) => {
  expect(() => storeLocation(env)).toThrow(message);
});
