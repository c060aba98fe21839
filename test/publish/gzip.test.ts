import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { gzipMember } from '../../src/publish/gzip.ts';

/** Bytes that do not shrink. */
function noise(length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  for (let at = 0; at < length; at += 65_536) crypto.getRandomValues(bytes.subarray(at, at + 65_536));
  return bytes;
}

describe('gzipMember()', () => {
  test.each([0, 1, 131_072, 131_073, 3_000_000])('gives back %i bytes', async (length) => {
    const bytes = noise(length);
    const member = await gzipMember((gzip) => gzip.write(bytes));
    const given = gunzipSync(member);
    expect(given.length).toBe(length);
    // `toEqual()` takes seconds for so many.
    expect(crypto.subtle.timingSafeEqual(given, bytes)).toBe(true);
  });

  test('knows how much has come out while it is written', async () => {
    await gzipMember(async (gzip) => {
      for (let megabytes = 1; megabytes <= 8; megabytes++) {
        await gzip.write(noise(1_048_576));
        expect(gzip.bytes).toBeGreaterThan((megabytes - 0.75) * 1_048_576);
      }
    });
  });

  test('gives nothing out when what is packed cannot be read to its end', async () => {
    const broken = gzipMember(async (gzip) => {
      await gzip.write(noise(1_000));
      throw new Error('the body broke off');
    });
    await expect(broken).rejects.toThrow('the body broke off');
  });
});
