/** Batches, from the request to the stores. */

import { createExecutionContext, reset, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Env } from '../../../src/config.ts';
import { BATCH_PATH, MAX_BATCH_BYTES, MAX_BATCH_EVENTS } from '../../../src/contract/endpoint.ts';
import type { Row } from '../../../src/contract/row.ts';
import { PACKED_BYTES } from '../../../src/intake/batch/store-lines.ts';
import { batchEndpoint } from '../../../src/intake/route.ts';
import { FULL_EVENT, SMALL_EVENT } from '../../sample.ts';
import { bucketWith, outOfOrder, queueInto } from '../../stores.ts';

const ADDRESS = `https://intake.example${BATCH_PATH}`;
const HEADERS = { Authentication: 'Bearer test-token' };
const GOOD = JSON.stringify(SMALL_EVENT);
const BAD = JSON.stringify({ ...SMALL_EVENT, EventType: 'Reservation' });

afterEach(async () => {
  vi.useRealTimers();
  await reset();
});

interface Result {
  readonly status: number;
  readonly event_id?: string;
  readonly warnings?: readonly string[];
  readonly row?: Row;
  readonly problem?: { readonly type: string; readonly errors?: readonly { readonly field: string }[] };
}

/** Sends a batch to a service with these bindings, and reads its answer. */
async function send(body: BodyInit, using: Partial<Env> = {}, more: { query?: string; headers?: HeadersInit } = {}) {
  const headers = { ...HEADERS, ...more.headers };
  const request = new Request(ADDRESS + (more.query ?? ''), { method: 'POST', headers, body });
  const context = createExecutionContext();
  const response = await batchEndpoint(request, { ...env, ...using }, context);
  await waitOnExecutionContext(context);
  const answer = await response.json<{
    type?: string;
    detail?: string;
    status: string;
    response: { accepted: number; refused: number; results: readonly Result[] };
  }>();
  return { status: response.status, headers: response.headers, answer, results: answer.response?.results };
}

/** A queue that keeps what it gets. */
const keeping = (messages: string[]) => queueInto((message) => messages.push(message));

const down: Queue<string> = { ...env.EVENTS, send: outOfOrder };

function rowsOf(messages: readonly string[]): Row[] {
  return messages.flatMap((message) =>
    message
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
  );
}

async function objectsUnder(prefix: string): Promise<Record<string, string>[]> {
  const { objects } = await env.BUCKET.list({ prefix });
  const texts = await Promise.all(objects.map(async ({ key }) => (await env.BUCKET.get(key))?.text() ?? ''));
  return texts.flatMap((text) => text.trimEnd().split('\n')).map((line) => JSON.parse(line));
}

describe('a batch', () => {
  test.each([
    ['NDJSON', `${GOOD}\n${GOOD}\n${GOOD}\n`],
    ['NDJSON with CRLF, blank lines and no end', `\r\n${GOOD}\r\n\r\n${GOOD}\n${GOOD}`],
    ['an array', `[${GOOD},\n ${GOOD} , ${GOOD}]`],
  ])('of %s is stored event by event and answered in order', async (_, body) => {
    const messages: string[] = [];
    const { status, answer, results } = await send(body, { EVENTS: keeping(messages) });
    expect(status).toBe(202);
    expect(answer).toMatchObject({ status: 'success', response: { accepted: 3, refused: 0 } });
    const rows = rowsOf(messages);
    expect(results.map(({ status: each, event_id }) => [each, event_id])).toEqual(
      rows.map(({ event_id }) => [202, event_id]),
    );
    expect(new Set(rows.map(({ event_id }) => event_id)).size).toBe(3);
  });

  test('keeps what is refused, and says of each event what became of it', async () => {
    const [events, rejected]: [string[], string[]] = [[], []];
    const logged = vi.spyOn(console, 'log');
    const body = [GOOD, BAD, '{not json', '[1]', GOOD].join('\n');
    const { status, answer, results } = await send(body, { EVENTS: keeping(events), REJECTED: keeping(rejected) });
    expect(status).toBe(207);
    expect(answer).toMatchObject({ status: 'partial', response: { accepted: 2, refused: 3 } });
    expect(results.map((result) => result.status)).toEqual([202, 422, 400, 400, 202]);
    expect(results[1]?.problem).toMatchObject({
      type: '/problems/invalid-event',
      errors: [{ field: 'EventType', code: 'not_allowed' }],
    });
    expect(JSON.stringify(answer)).not.toContain('not json');
    const [line] = logged.mock.lastCall ?? [];
    expect(line).toMatchObject({ event: 'request', events: 5, refused: 3, queued: 2 });
    expect(rowsOf(events)).toHaveLength(2);
    const kept = rowsOf(rejected) as unknown as { body: string; status: number }[];
    expect(kept.map(({ body: text, status: each }) => [text, each])).toEqual([
      [BAD, 422],
      ['{not json', 400],
      ['[1]', 400],
    ]);
  });

  test('is only checked on ?check, which stores nothing', async () => {
    const messages: string[] = [];
    const queues = { EVENTS: keeping(messages), REJECTED: keeping(messages) };
    const { status, results } = await send(`${GOOD}\n${BAD}`, queues, { query: '?check' });
    expect(status).toBe(207);
    expect(results[0]).toMatchObject({ status: 200, stored: false, row: { property_id: SMALL_EVENT.PropertyId } });
    expect(results[1]).toMatchObject({ status: 422 });
    expect(messages).toEqual([]);
    expect((await send(GOOD, queues, { query: '?check' })).status).toBe(200);
    expect((await send(GOOD, queues, { query: '?check=perhaps' })).status).toBe(400);
  });

  test('gives each event its own idempotency key, or its place behind that of the batch', async () => {
    const messages: string[] = [];
    const body = JSON.stringify([
      { idempotency_key: 'own', event: SMALL_EVENT },
      SMALL_EVENT,
      { event: SMALL_EVENT },
      { ...SMALL_EVENT, event: 'a field of the sender' },
    ]);
    await send(body, { EVENTS: keeping(messages) }, { headers: { 'Idempotency-Key': 'batch-7' } });
    expect(rowsOf(messages).map(({ idempotency_key }) => idempotency_key)).toEqual([
      'own',
      'batch-7/1',
      'batch-7/2',
      'batch-7/3',
    ]);
  });

  test.each([
    ['in the usual order', '{ "idempotency_key" : "k" , "event" : EVENT }', 'k'],
    ['the other way round', '{"event":EVENT,"idempotency_key":"k"}', 'k'],
    ['with blanks around it', '{"idempotency_key":" k ","event":EVENT}', 'k'],
    ['as null', '{"idempotency_key":null,"event":EVENT}', 'batch-7/1'],
    ['that is blank', '{"idempotency_key":" ","event":EVENT}', 'batch-7/1'],
    ['that no header can hold', '{"idempotency_key":"a\\nб\\u0000\\ud800","event":EVENT}', 'a\nб\ufffd\ufffd'],
    ['twice, of which the last counts', '{"idempotency_key":"a","idempotency_key":"k","event":EVENT}', 'k'],
  ])('takes a key %s', async (_, envelope, key) => {
    const messages: string[] = [];
    const body = `${GOOD}\n${envelope.replace('EVENT', GOOD)}`;
    const headers = { 'Idempotency-Key': 'batch-7' };
    const { status } = await send(body, { EVENTS: keeping(messages) }, { headers });
    expect(status).toBe(202);
    expect(rowsOf(messages)[1]?.idempotency_key).toBe(key);
  });

  test.each([
    ['a key that is a number', `{"idempotency_key":7,"event":${GOOD}}`],
    ['another member', `{"idempotency_key":"k","event":${GOOD},"more":1}`],
    ['no event', '{"idempotency_key":"k"}'],
    ['two events', `{"idempotency_key":"k","event":${GOOD},"event":${GOOD}}`],
    ['a syntax error', `{"idempotency_key":"k","event":${GOOD},}`],
    ['something behind it', `{"idempotency_key":"k","event":${GOOD}}}`],
  ])('takes an envelope with %s for the event itself', async (_, text) => {
    const rejected: string[] = [];
    const { results } = await send(`${GOOD}\n${text}`, { EVENTS: keeping([]), REJECTED: keeping(rejected) });
    expect(results[1]?.problem).toBeDefined();
    expect(JSON.parse(rejected[0] ?? '')).toMatchObject({ body: text, idempotency_key: null });
  });

  test('refuses an event in an envelope that is no object', async () => {
    const { results } = await send(`${GOOD}\n{"event":[]}`, { EVENTS: keeping([]), REJECTED: keeping([]) });
    expect(results[1]?.problem).toMatchObject({ detail: expect.stringContaining('an array') });
  });

  test('packs its lines into messages of up to 64 KB', async () => {
    const messages: string[] = [];
    const events = Array.from({ length: 500 }, () => FULL_EVENT);
    const { status } = await send(JSON.stringify(events), { EVENTS: keeping(messages) });
    expect(status).toBe(202);
    const sizes = messages.map((message) => new TextEncoder().encode(message).byteLength);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(PACKED_BYTES);
    expect(messages.length).toBeLessThanOrEqual(
      Math.ceil((sizes.reduce((sum, size) => sum + size, 0) / PACKED_BYTES) * 1.1),
    );
    expect(rowsOf(messages)).toHaveLength(500);
  });

  test('takes gzip', async () => {
    const body = new Blob([`${GOOD}\n`.repeat(1_000)]).stream().pipeThrough(new CompressionStream('gzip'));
    const { status, answer } = await send(body, { EVENTS: keeping([]) }, { headers: { 'Content-Encoding': 'gzip' } });
    expect({ status, accepted: answer.response.accepted }).toEqual({ status: 202, accepted: 1_000 });
  });

  test('takes another encoding where it is declared', async () => {
    const messages: string[] = [];
    const event = JSON.stringify({ ...SMALL_EVENT, LastName: 'Åkesson' });
    const body = Uint8Array.from(`${event}\n${event}`, (char) => char.charCodeAt(0));
    const headers = { 'Content-Type': 'application/x-ndjson; charset=iso-8859-1' };
    await send(body, { EVENTS: keeping(messages) }, { headers });
    expect(rowsOf(messages).map(({ last_name }) => last_name)).toEqual(['Åkesson', 'Åkesson']);
  });

  test('goes to R2 when the queue refuses', async () => {
    const { status, results } = await send(`${GOOD}\n${BAD}`, { EVENTS: down, REJECTED: down });
    expect(status).toBe(207);
    const [row] = await objectsUnder('landing/');
    expect(row?.event_id).toBe(results[0]?.event_id);
    expect(await objectsUnder('rejected/')).toMatchObject([{ body: BAD }]);
    const [object] = (await env.BUCKET.list({ prefix: 'landing/', include: ['customMetadata'] })).objects;
    expect(object?.customMetadata).toMatchObject({ rows: '1', events: '1' });
  });

  test('has to come again as a whole when nothing could be stored', async () => {
    const BUCKET = bucketWith({ put: outOfOrder });
    const { status, headers, answer } = await send(`${GOOD}\n${GOOD}`, { EVENTS: down, BUCKET });
    expect(status).toBe(503);
    expect(headers.get('Retry-After')).toBe('30');
    expect(answer.type).toBe('/problems/unavailable');
  });

  test('that is stored in part says of each event whether it is', async () => {
    const messages: string[] = [];
    const kept = keeping(messages);
    const onlyFirst: Queue<string> = {
      ...kept,
      send: (message) => (messages.length === 0 ? kept.send(message) : outOfOrder()),
    };
    const events = Array.from({ length: 200 }, () => FULL_EVENT);
    const using = { EVENTS: onlyFirst, BUCKET: bucketWith({ put: outOfOrder }) };
    const { status, answer, results } = await send(JSON.stringify(events), using);
    expect(status).toBe(207);
    const stored = rowsOf(messages).map(({ event_id }) => event_id);
    expect(results.filter((each) => each.status === 202).map(({ event_id }) => event_id)).toEqual(stored);
    const lost = results.filter((each) => each.status === 503);
    expect(lost).toHaveLength(200 - stored.length);
    expect(lost.every(({ problem }) => problem?.type === '/problems/unavailable')).toBe(true);
    expect(answer.response).toMatchObject({ accepted: stored.length, refused: lost.length });
  });

  test('keeps what it has refused later, when no store takes it at first', async () => {
    vi.useFakeTimers();
    let isDown = true;
    const put = (...of: Parameters<R2Bucket['put']>) => (isDown ? outOfOrder() : env.BUCKET.put(...of));
    const context = createExecutionContext();
    const request = new Request(ADDRESS, { method: 'POST', headers: HEADERS, body: `${GOOD}\n${BAD}` });
    const using = { ...env, EVENTS: keeping([]), REJECTED: down, BUCKET: bucketWith({ put }) };
    const response = await batchEndpoint(request, using, context);
    expect(response.status).toBe(207);
    isDown = false;
    await vi.runAllTimersAsync();
    vi.useRealTimers();
    await waitOnExecutionContext(context);
    expect(await objectsUnder('rejected/')).toMatchObject([{ body: BAD, status: 422, truncated: false }]);
  });

  test.each([
    ['nothing', '', 400, 'malformed-body'],
    ['blanks', ' \n\n', 400, 'malformed-body'],
    ['an empty array', '[]', 400, 'malformed-body'],
    ['an array that ends too early', `[${GOOD},`, 400, 'malformed-body'],
    ['too many events', `${GOOD}\n`.repeat(MAX_BATCH_EVENTS + 1), 413, 'too-large'],
    ['too many bytes', ' '.repeat(MAX_BATCH_BYTES + 1), 413, 'too-large'],
    ['bytes that are not UTF-8', new Uint8Array([0x7b, 0xff]), 400, 'malformed-body'],
  ])('of %s is refused as a whole', async (_, body, status, slug) => {
    const messages: string[] = [];
    const refused = await send(body, { EVENTS: keeping(messages), REJECTED: keeping(messages) });
    expect({ status: refused.status, type: refused.answer.type }).toEqual({ status, type: `/problems/${slug}` });
    expect(messages).toEqual([]);
  });

  test.each([
    ['its line', `${BAD}\n`, BAD],
    ['all of its lines', `{\n${BAD.slice(1)}`, `{\n${BAD.slice(1)}`],
  ])('of one event that is refused keeps %s', async (_, body, kept) => {
    await send(body, { REJECTED: down });
    expect(await objectsUnder('rejected/')).toMatchObject([{ body: kept }]);
  });

  test('keeps an event that is too large under the key that stands beside it', async () => {
    const text = JSON.stringify({ ...SMALL_EVENT, StaffComment: 'x'.repeat(140_000) });
    const { results } = await send(`{"idempotency_key":"k","event":${text}}\n${GOOD}`, {
      EVENTS: keeping([]),
      REJECTED: down,
    });
    expect(results.map((result) => result.status)).toEqual([413, 202]);
    expect(await objectsUnder('rejected/')).toMatchObject([{ body: text, idempotency_key: 'k' }]);
  });
});
