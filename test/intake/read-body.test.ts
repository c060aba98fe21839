import { describe, expect, test } from 'vitest';
import { MAX_RECEIVED_BYTES } from '../../src/intake/limits.ts';
import { readBody } from '../../src/intake/read-body.ts';

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
    const { bytes, ...rest } = await readBody(request('not gzip', { 'Content-Encoding': ' GZIP ' }));
    expect(new TextDecoder().decode(bytes)).toBe('not gzip');
    expect(rest).toEqual({ encoding: 'gzip', ending: 'whole' });
  });

  test('reads no body as no bytes', async () => {
    expect(await readBody(request(null))).toEqual({ bytes: new Uint8Array(), encoding: '', ending: 'whole' });
  });

  test('reads a body that says how long it is in one go', async () => {
    const body = '{"a":1}';
    const { bytes, ending } = await readBody(request(body, { 'Content-Length': String(body.length) }));
    expect(new TextDecoder().decode(bytes)).toBe(body);
    expect(ending).toBe('whole');
  });

  test('keeps nothing of a body that says how long it is and breaks off', async () => {
    const { stream } = trickle(7, 100, 3);
    expect(await readBody(request(stream, { 'Content-Length': '700' }))).toMatchObject({
      bytes: new Uint8Array(),
      ending: 'broken',
    });
  });

  test('puts a body together that arrives in pieces', async () => {
    const { bytes, ending } = await readBody(request(trickle(7, 100).stream));
    expect(new TextDecoder().decode(bytes)).toBe('x'.repeat(700));
    expect(ending).toBe('whole');
  });

  test('stops at the first byte too many, keeps those before it, and gives the rest up', async () => {
    const { stream, state } = trickle(1_000, 1_000);
    const { bytes, ending } = await readBody(request(stream));
    expect(bytes.byteLength).toBe(MAX_RECEIVED_BYTES);
    expect(ending).toBe('cut_off');
    expect(state.cancelled).toBe(true);
    expect(state.sent).toBeLessThan(80);
  });

  test('keeps what arrived of a body that breaks off', async () => {
    const { bytes, ending } = await readBody(request(trickle(7, 100, 3).stream));
    expect(bytes.byteLength).toBe(300);
    expect(ending).toBe('broken');
  });
});
