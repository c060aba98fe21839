import { describe, expect, test } from 'vitest';
import { MAX_BODY_BYTES } from '../../src/intake/limits.ts';
import { readBody } from '../../src/intake/read-body.ts';

function request(body: BodyInit | null, encoding?: string) {
  return new Request('https://intake.example', {
    method: 'POST',
    body,
    headers: encoding === undefined ? {} : { 'Content-Encoding': encoding },
  });
}

function compress(body: BodyInit): ReadableStream<Uint8Array> {
  const { body: stream } = new Response(body);
  if (stream === null) throw new Error('no body to compress');
  return stream.pipeThrough(new CompressionStream('gzip'));
}

async function read(body: BodyInit | null, encoding?: string) {
  const result = await readBody(request(body, encoding));
  return result.ok ? new TextDecoder().decode(result.value) : result.error.reason;
}

/** A body that arrives in pieces and without a length, and tells whether it was given up. */
function trickle(pieces: number, bytes: number) {
  const state = { sent: 0, cancelled: false };
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (state.sent === pieces) return controller.close();
      state.sent += 1;
      controller.enqueue(new Uint8Array(bytes).fill(120));
    },
    cancel() {
      state.cancelled = true;
    },
  });
  return { stream, state };
}

describe('readBody()', () => {
  test.each([undefined, 'identity', ' Identity '])(
    'reads a body as it is with Content-Encoding %j',
    async (encoding) => {
      expect(await read('{"a":1}', encoding)).toBe('{"a":1}');
    },
  );

  test.each(['gzip', 'GZIP', 'x-gzip'])('decodes Content-Encoding %s', async (encoding) => {
    expect(await read(compress('{"a":1}'), encoding)).toBe('{"a":1}');
  });

  test('reads no body as no bytes', async () => {
    expect(await read(null)).toBe('');
    expect(await read('')).toBe('');
  });

  test.each(['br', 'deflate', 'gzip, gzip', 'compress', 'utf-8'])(
    'does not know Content-Encoding %s',
    async (encoding) => {
      expect(await read('{}', encoding)).toBe('unsupported_encoding');
    },
  );

  test('refuses what is not gzip, what ends early and what has something behind it', async () => {
    const whole = new Uint8Array(await new Response(compress('{"a":1}')).arrayBuffer());
    expect(await read('{"a":1}', 'gzip')).toBe('unreadable_gzip');
    expect(await read(whole.slice(0, -6), 'gzip')).toBe('unreadable_gzip');
    expect(await read(new Uint8Array([...whole, 1, 2, 3]), 'gzip')).toBe('unreadable_gzip');
  });

  test('takes the largest body and not one byte more', async () => {
    expect(await read('x'.repeat(MAX_BODY_BYTES))).toHaveLength(MAX_BODY_BYTES);
    expect(await read('x'.repeat(MAX_BODY_BYTES + 1))).toBe('body_too_large');
    expect(await read('é'.repeat(MAX_BODY_BYTES / 2 + 1))).toBe('body_too_large');
  });

  test('stops reading at the first byte too many, whatever the length was said to be', async () => {
    const { stream, state } = trickle(1_000, 1_024);
    expect(await read(stream)).toBe('body_too_large');
    expect(state.cancelled).toBe(true);
    expect(state.sent).toBeLessThan(80);
  });

  test('counts decoded bytes, so that a small bomb is refused as well', async () => {
    expect(await read(compress(new Uint8Array(50_000_000)), 'gzip')).toBe('body_too_large');
  });

  test('puts a body together that arrives in pieces', async () => {
    expect(await read(trickle(7, 100).stream)).toBe('x'.repeat(700));
  });

  test('says that a body which breaks off is incomplete', async () => {
    const broken = new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.error(new Error('connection lost'));
      },
    });
    expect(await read(broken)).toBe('incomplete');
  });
});
