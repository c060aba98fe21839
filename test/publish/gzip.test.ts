import { describe, expect, test } from 'vitest';
import { createGzipMember } from '../../src/publish/gzip.ts';

/** Bytes that do not shrink. */
function noise(length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  for (let at = 0; at < length; at += 65_536) crypto.getRandomValues(bytes.subarray(at, at + 65_536));
  return bytes;
}

describe('createGzipMember()', () => {
  test.each([0, 1, 131_072, 131_073, 3_000_000])('gives back %i bytes', async (length) => {
    const gzip = await createGzipMember();
    const bytes = noise(length);
    await gzip.write(bytes);
    const stream = new Response(await gzip.finish()).body?.pipeThrough(new DecompressionStream('gzip'));
    const given = new Uint8Array(await new Response(stream).arrayBuffer());
    expect(given.length).toBe(length);
    // `toEqual()` takes seconds for so many.
    expect(crypto.subtle.timingSafeEqual(given, bytes)).toBe(true);
  });

  test('knows how much has come out while it is written', async () => {
    const gzip = await createGzipMember();
    for (let megabytes = 1; megabytes <= 8; megabytes++) {
      await gzip.write(noise(1_048_576));
      expect(gzip.bytes).toBeGreaterThan((megabytes - 0.75) * 1_048_576);
    }
    gzip.abandon();
  });

  test('gives nothing out after it was abandoned', async () => {
    const gzip = await createGzipMember();
    await gzip.write(noise(1_000));
    gzip.abandon();
    await expect(gzip.write(noise(1))).rejects.toThrow();
    await expect(gzip.finish()).rejects.toThrow('abandoned');
  });
});
