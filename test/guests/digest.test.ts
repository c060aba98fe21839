import { describe, expect, test } from 'vitest';
import { createKeyedDigest, keyCheckOf } from '../../src/guests/digest.ts';

const KEY = 'a key for the tests and nothing else';

describe('createKeyedDigest()', () => {
  test('is HMAC-SHA-256, cut to 128 bits', async () => {
    const encoder = new TextEncoder();
    const key = await crypto.subtle.importKey('raw', encoder.encode(KEY), { name: 'HMAC', hash: 'SHA-256' }, false, [
      'sign',
    ]);
    const whole = new Uint8Array(
      await crypto.subtle.sign('HMAC', key, encoder.encode('email:jöhn@example.com')),
    ).toHex();
    const digest = createKeyedDigest(KEY);
    expect(digest('email:jöhn@example.com')).toBe(whole.slice(0, 32));
  });

  test('gives other digests with another key, and the check tells the keys apart', async () => {
    const [digest, same, other] = [createKeyedDigest(KEY), createKeyedDigest(KEY), createKeyedDigest(`${KEY}.`)];
    expect(other('customer_id:1')).not.toBe(digest('customer_id:1'));
    expect(keyCheckOf(same)).toBe(keyCheckOf(digest));
    expect(keyCheckOf(other)).not.toBe(keyCheckOf(digest));
  });
});
