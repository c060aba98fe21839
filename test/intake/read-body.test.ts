import { describe, expect, test } from 'vitest';
import { GZIP_OVERHEAD_BYTES, MAX_BODY_BYTES } from '../../src/intake/limits.ts';
import { readBody } from '../../src/intake/read-body.ts';

const MAX_RECEIVED_BYTES = MAX_BODY_BYTES + GZIP_OVERHEAD_BYTES;

function request(body: BodyInit | null, headers: HeadersInit = {}) {
  return new Request('https://intake.example', { method: 'POST', body, headers });
}

/** A body that arrives in pieces and without a length, and tells whether it was given up. */
function trickle(pieces: number, bytes: number, failAfter = Number.POSITIVE_INFINITY) {
  const state = { sent: 0, cancelled: false };
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (state.sent === failAfter) return controller.error(new Error('connection lost'));
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
  test('keeps the bytes as they came, and says how they are encoded', async () => {
    const { bytes, ...rest } = await readBody(request('not gzip', { 'Content-Encoding': ' GZIP ' }), MAX_BODY_BYTES);
    expect(new TextDecoder().decode(bytes)).toBe('not gzip');
    expect(rest).toEqual({ encoding: 'gzip', ending: 'whole' });
  });

  test('reads no body as no bytes', async () => {
    expect(await readBody(request(null), MAX_BODY_BYTES)).toEqual({
      bytes: new Uint8Array(),
      encoding: '',
      ending: 'whole',
    });
  });

  test.each(['7', '6', '8', '0', '-1', '1e9', 'seven', ''])(
    'reads a body that says it is %j bytes long',
    async (length) => {
      const { bytes, ending } = await readBody(request('{"a":1}', { 'Content-Length': length }), MAX_BODY_BYTES);
      expect(new TextDecoder().decode(bytes)).toBe('{"a":1}');
      expect(ending).toBe('whole');
    },
  );

  test.each([
    [0, 'whole'],
    [1, 'cut_off'],
  ])('takes as many bytes as it may, and with %i more says that some are missing', async (more, ending) => {
    for (const body of ['x'.repeat(MAX_RECEIVED_BYTES + more), trickle(MAX_RECEIVED_BYTES + more, 1).stream]) {
      const read = await readBody(request(body), MAX_BODY_BYTES);
      expect([read.bytes.length, read.ending]).toEqual([MAX_RECEIVED_BYTES, ending]);
    }
  });

  test('believes no Content-Length', async () => {
    const { bytes, ending } = await readBody(
      request('x'.repeat(1_000_000), { 'Content-Length': '10' }),
      MAX_BODY_BYTES,
    );
    expect(new TextDecoder().decode(bytes)).toBe('x'.repeat(MAX_RECEIVED_BYTES));
    expect(ending).toBe('cut_off');
  });

  test('puts a body together that arrives in pieces', async () => {
    const { bytes, ending } = await readBody(request(trickle(7, 100).stream), MAX_BODY_BYTES);
    expect(new TextDecoder().decode(bytes)).toBe('x'.repeat(700));
    expect(ending).toBe('whole');
  });

  test.each([{}, { 'Content-Length': '1000000' }])(
    'stops at the first byte too many, keeps those before it, and gives the rest up: %j',
    async (headers) => {
      const { stream, state } = trickle(1_000, 1_000);
      const { bytes, ending } = await readBody(request(stream, headers), MAX_BODY_BYTES);
      expect(bytes.byteLength).toBe(MAX_RECEIVED_BYTES);
      expect(ending).toBe('cut_off');
      expect(state.cancelled).toBe(true);
      expect(state.sent).toBeLessThan(80);
    },
  );

  test('keeps what arrived of a body without a length that breaks off', async () => {
    const { bytes, ending } = await readBody(request(trickle(7, 100, 3).stream), MAX_BODY_BYTES);
    expect(bytes.byteLength).toBe(300);
    expect(ending).toBe('broken');
  });

  test('keeps nothing of a body that breaks off before it is as long as it says', async () => {
    const { readable, writable } = new IdentityTransformStream();
    const writer = writable.getWriter();
    const body = readBody(request(readable, { 'Content-Length': '700' }), MAX_BODY_BYTES);
    await writer.write(new Uint8Array(300).fill(120));
    await writer.abort(new Error('connection lost'));
    expect(await body).toEqual({ bytes: new Uint8Array(), encoding: '', ending: 'broken' });
  });
});
