import { createExecutionContext, reset } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { gzipSync } from 'node:zlib';
import * as v from 'valibot';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { GZIP_OVERHEAD_BYTES, MAX_BODY_BYTES } from '../../src/intake/limits.ts';
import { endpoint } from '../../src/intake/route.ts';
import { RejectionSchema } from '../../src/storage/rejection.ts';
import { ENDPOINT } from '../post.ts';
import { SMALL_EVENT } from '../sample.ts';
import { watchLog } from '../telemetry/watch.ts';

const MAX_RECEIVED_BYTES = MAX_BODY_BYTES + GZIP_OVERHEAD_BYTES;

const AUTHENTICATION = { Authentication: 'Bearer test-token' };

afterEach(() => reset());

function send(body: BodyInit, headers: Record<string, string> = {}, using = env): Promise<Response> {
  const request = new Request(ENDPOINT, { method: 'POST', headers: { ...AUTHENTICATION, ...headers }, body });
  return endpoint(request, using, createExecutionContext());
}

/** The refused bodies in R2, once there are as many. */
async function kept(count: number) {
  return vi.waitFor(async () => {
    const { objects } = await env.BUCKET.list({ prefix: 'rejected/' });
    const texts = await Promise.all(objects.map(async ({ key }) => (await env.BUCKET.get(key))?.text()));
    const lines = texts.join('').split('\n').slice(0, -1);
    expect(lines).toHaveLength(count);
    return lines.map((line) => v.parse(RejectionSchema, JSON.parse(line)));
  }, 30_000);
}

describe('keepRefused()', () => {
  test('keeps a refused body as one line, with what was said of it', async () => {
    const body = `\ufeff${JSON.stringify({ ...SMALL_EVENT, PropertyId: '', StaffComment: 'two\u2028lines' })}`;
    const response = await send(body, { 'Content-Type': 'application/json', 'Idempotency-Key': 'delivery-1' });
    expect(response.status).toBe(422);
    const [rejection] = await kept(1);
    expect(rejection).toEqual({
      rejection_id: expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-7/),
      rejected_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      sender: 'default',
      status: 422,
      problem: 'invalid-event',
      reason: 'invalid_event',
      errors: [{ field: 'PropertyId', code: 'missing' }],
      content_type: 'application/json',
      content_encoding: null,
      idempotency_key: 'delivery-1',
      body_fingerprint: expect.stringMatching(/^[\da-f]{32}$/),
      truncated: false,
      body_encoding: 'text',
      body,
    });
  });

  test('keeps every body as it is, whatever is wrong with it', async () => {
    const json = { 'Content-Type': 'application/json' };
    const cases: [BodyInit, Record<string, string>, object][] = [
      ['{"a":', json, { status: 400, reason: 'malformed', body: '{"a":', body_encoding: 'text' }],
      ['{"a":"\0"}', json, { status: 400, body: btoa('{"a":"\0"}'), body_encoding: 'base64' }],
      [new Uint8Array([123, 255, 125]), json, { status: 400, body: 'e/99', body_encoding: 'base64' }],
      ['<a/>', { 'Content-Type': 'text/xml' }, { status: 415, content_type: 'text/xml', body: '<a/>' }],
      ['{}', { 'Content-Encoding': 'br' }, { status: 415, content_encoding: 'br', body: '{}' }],
      ['', json, { status: 400, body: '', truncated: false }],
      ['x'.repeat(70_000), json, { status: 413, body: 'x'.repeat(MAX_RECEIVED_BYTES), truncated: true }],
      // As text this takes six times the bytes, more than the queue carries, so it goes to R2 itself.
      ['\u0001'.repeat(60_000), json, { status: 400, body: '\u0001'.repeat(60_000), truncated: false }],
    ];
    for (const [body, headers] of cases) await send(body, headers);
    const rejections = (await kept(cases.length)).toSorted((a, b) => (a.rejection_id < b.rejection_id ? -1 : 1));
    expect(rejections).toMatchObject(cases.map(([, , expected]) => expected));
  });

  test('says of a body that broke off that it is not whole', async () => {
    const pieces = [new TextEncoder().encode('{"a":')];
    const broken = new ReadableStream<Uint8Array>({
      pull(controller) {
        const piece = pieces.shift();
        if (piece === undefined) controller.error(new Error('connection lost'));
        else controller.enqueue(piece);
      },
    });
    expect((await send(broken, { 'Content-Type': 'application/json' })).status).toBe(400);
    expect(await kept(1)).toMatchObject([{ reason: 'incomplete', body: '{"a":', truncated: true }]);
  });

  test('keeps a gzip body as it came', async () => {
    const body = gzipSync('[]');
    expect((await send(body, { 'Content-Encoding': 'gzip' })).status).toBe(400);
    const [rejection] = await kept(1);
    expect(rejection).toMatchObject({ content_encoding: 'gzip', body_encoding: 'base64' });
    expect(Uint8Array.fromBase64(rejection?.body ?? '')).toEqual(new Uint8Array(body));
  });

  test('gives equal bodies equal fingerprints and identifiers of their own', async () => {
    for (const body of ['{}', '{}', '{ }']) await send(body);
    const rejections = await kept(3);
    expect(new Set(rejections.map(({ rejection_id }) => rejection_id)).size).toBe(3);
    expect(new Set(rejections.map(({ body_fingerprint }) => body_fingerprint)).size).toBe(2);
  });

  test('keeps nothing of a request without a token, and does not read it', async () => {
    let read = false;
    const body = new ReadableStream(
      {
        pull(controller) {
          read = true;
          controller.close();
        },
      },
      { highWaterMark: 0 },
    );
    expect((await send(body, { Authentication: 'Bearer wrong' })).status).toBe(401);
    expect(read).toBe(false);
    expect(await kept(0)).toEqual([]);
  });

  describe('while the stores fail', () => {
    beforeEach(() => void vi.useFakeTimers());
    afterEach(() => void vi.restoreAllMocks().useRealTimers());

    function failing(times: number, keys: string[] = []) {
      let asked = 0;
      const fail = (key: string) => {
        asked += 1;
        if (key.startsWith('rejected/')) keys.push(key);
        return asked <= times ? Promise.reject(new Error('the store is down')) : Promise.resolve({});
      };
      const queue = Object.assign(Object.create(env.REJECTED), { send: fail });
      const bucket = Object.assign(Object.create(env.BUCKET), { put: fail });
      return { ...env, REJECTED: queue, BUCKET: bucket };
    }

    test.each([
      [2, 'refused_body_kept_late'],
      [4, 'refused_body_kept_late'],
      [7, 'refused_body_kept_late'],
      [8, 'refused_body_lost'],
    ])('the answer is the same after %i failures, and ends with %s', async (times, event) => {
      const lines = watchLog();
      expect((await send('{}', {}, failing(times))).status).toBe(422);
      await vi.advanceTimersByTimeAsync(30_000);
      const ends = lines.map(({ event: name }) => String(name)).filter((name) => name.startsWith('refused_body'));
      expect(ends).toEqual([event]);
    });

    test('each attempt has a key of its own, since one that seemed to fail may have taken it', async () => {
      watchLog();
      const keys: string[] = [];
      await send('{}', {}, failing(8, keys));
      await vi.advanceTimersByTimeAsync(30_000);
      expect(keys).toHaveLength(4);
      expect(new Set(keys).size).toBe(4);
    });
  });
});
