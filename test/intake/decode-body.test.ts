import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { decodeBody } from '../../src/intake/decode-body.ts';
import { MAX_BODY_BYTES } from '../../src/intake/limits.ts';
import { readBody } from '../../src/intake/read-body.ts';

function request(body: BodyInit | null, encoding?: string) {
  return new Request('https://intake.example', {
    method: 'POST',
    body,
    headers: encoding === undefined ? {} : { 'Content-Encoding': encoding },
  });
}

async function read(body: BodyInit | null, encoding?: string) {
  const result = decodeBody(await readBody(request(body, encoding), MAX_BODY_BYTES), MAX_BODY_BYTES);
  return result.ok ? new TextDecoder().decode(result.value) : result.error.reason;
}

describe('decodeBody()', () => {
  test.each([undefined, 'identity', ' Identity ', 'none', 'UTF-8', 'utf8'])(
    'reads a body as it is with Content-Encoding %j',
    async (encoding) => {
      expect(await read('{"a":1}', encoding)).toBe('{"a":1}');
    },
  );

  test.each(['gzip', 'GZIP', 'x-gzip'])('decodes Content-Encoding %s', async (encoding) => {
    expect(await read(gzipSync('{"a":1}'), encoding)).toBe('{"a":1}');
  });

  test.each(['br', 'deflate', 'gzip, gzip', 'compress', 'latin1'])(
    'does not know Content-Encoding %s',
    async (encoding) => {
      expect(await read('{}', encoding)).toBe('unsupported_encoding');
    },
  );

  test('decodes gzip of several members, as many and as large as the limit lets them be', async () => {
    const [head, tail, nothing] = [gzipSync('{"a":'), gzipSync('1}'), gzipSync('')];
    expect(await read(new Uint8Array([...head, ...tail]), 'gzip')).toBe('{"a":1}');
    expect(await read(new Uint8Array([...head, ...nothing, ...nothing, ...tail]), 'gzip')).toBe('{"a":1}');
    expect(await read(new Uint8Array([...head, ...tail.slice(0, -1)]), 'gzip')).toBe('unreadable_gzip');
    const half = gzipSync('x'.repeat(MAX_BODY_BYTES / 2));
    expect(await read(new Uint8Array([...half, ...half]), 'gzip')).toHaveLength(MAX_BODY_BYTES);
    expect(await read(new Uint8Array([...half, ...half, ...head]), 'gzip')).toBe('body_too_large');
  });

  test('refuses what is not gzip, what ends early and what has something behind it', async () => {
    const whole = gzipSync('{"a":1}');
    expect(await read('{"a":1}', 'gzip')).toBe('unreadable_gzip');
    expect(await read(whole.slice(0, -6), 'gzip')).toBe('unreadable_gzip');
    expect(await read(new Uint8Array([...whole, 1, 2, 3]), 'gzip')).toBe('unreadable_gzip');
    expect(await read(new Uint8Array([...whole, 0, 0, 0]), 'gzip')).toBe('{"a":1}');
    expect(await read(new Uint8Array([...whole, 0, 1]), 'gzip')).toBe('unreadable_gzip');
    expect(await read(new Uint8Array([...whole, 0, ...whole]), 'gzip')).toBe('unreadable_gzip');
  });

  test('takes the largest body and not one byte more', async () => {
    expect(await read('x'.repeat(MAX_BODY_BYTES))).toHaveLength(MAX_BODY_BYTES);
    expect(await read('x'.repeat(MAX_BODY_BYTES + 1))).toBe('body_too_large');
    expect(await read('é'.repeat(MAX_BODY_BYTES / 2 + 1))).toBe('body_too_large');
  });

  test('counts decoded bytes, so that a small bomb is refused as well', async () => {
    expect(await read(gzipSync(new Uint8Array(50_000_000)), 'gzip')).toBe('body_too_large');
  });

  test('takes the largest body in a gzip stream that is larger still', async () => {
    // Without compression, a gzip stream is its header, its blocks as they are, and its trailer.
    const stored = gzipSync('x'.repeat(MAX_BODY_BYTES), { level: 0 });
    expect(stored.byteLength).toBeGreaterThan(MAX_BODY_BYTES);
    expect(await read(stored, 'gzip')).toHaveLength(MAX_BODY_BYTES);
  });

  test('says that a body which breaks off is incomplete', async () => {
    for (const encoding of ['identity', 'gzip']) {
      const broken = new ReadableStream<Uint8Array>({
        pull(controller) {
          controller.error(new Error('connection lost'));
        },
      });
      expect(await read(broken, encoding)).toBe('incomplete');
    }
  });
});
