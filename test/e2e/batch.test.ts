/** Batches, byte by byte, against the service as a user starts it: each answer as the OpenAPI document has it. */

import { gzipSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import type { LocalService } from '../../src/cli/local-service.ts';
import { createObjectStore } from '../../src/cli/object-store.ts';
import { BATCH_PATH, ENDPOINT_PATH, MAX_BATCH_BYTES, MAX_BATCH_EVENTS } from '../../src/contract/endpoint.ts';
import { FULL_EVENT } from '../sample.ts';
import { readDocument } from '../site/openapi/documented.ts';
import { type RawResponse, sendRaw } from './raw-http.ts';
import { STRICT_TOKEN, sharedService } from './shared-service.ts';

interface BatchCase {
  readonly name: string;
  readonly status: number;
  /** The status of each event, where the batch was taken. */
  readonly results?: readonly number[];
  readonly method?: string;
  readonly path?: string;
  readonly token?: string;
  readonly headers?: readonly (readonly [name: string, value: string])[];
  readonly body: string | Uint8Array;
}

const GOOD = JSON.stringify(FULL_EVENT);
const BAD = JSON.stringify({ ...FULL_EVENT, EventType: 'Moved' });
const lines = (...events: readonly string[]) => events.map((event) => `${event}\n`).join('');

const CASES: readonly BatchCase[] = [
  { name: 'NDJSON', status: 202, results: [202, 202], body: lines(GOOD, GOOD) },
  { name: 'an array', status: 202, results: [202, 202], body: `[${GOOD},${GOOD}]` },
  { name: 'a slash at the end of the address', status: 202, results: [202], path: `${BATCH_PATH}/`, body: GOOD },
  {
    name: 'gzip',
    status: 202,
    results: [202, 202],
    headers: [['Content-Encoding', 'gzip']],
    body: gzipSync(lines(GOOD, GOOD)),
  },
  {
    name: 'an event with a key of its own',
    status: 202,
    results: [202],
    body: `[{"idempotency_key":"k-1","event":${GOOD}}]`,
  },
  {
    name: 'good and bad events',
    status: 207,
    results: [202, 422, 400, 202],
    body: lines(GOOD, BAD, '{"PropertyId":', GOOD),
  },
  { name: 'bad events only', status: 207, results: [422, 422], body: lines(BAD, BAD) },
  { name: 'a check', status: 200, results: [200, 200], path: `${BATCH_PATH}?check`, body: lines(GOOD, GOOD) },
  {
    name: 'a check of bad events',
    status: 207,
    results: [200, 422],
    path: `${BATCH_PATH}?check`,
    body: lines(GOOD, BAD),
  },
  {
    name: 'a sender that takes 200 only',
    status: 200,
    results: [200, 200],
    token: STRICT_TOKEN,
    body: lines(GOOD, GOOD),
  },
  {
    name: 'a sender that takes 200 only, and a bad event',
    status: 207,
    results: [200, 422],
    token: STRICT_TOKEN,
    body: lines(GOOD, BAD),
  },
  { name: 'nothing', status: 400, body: '' },
  { name: 'blank lines', status: 400, body: '\n\n' },
  { name: 'an array that does not end', status: 400, body: `[${GOOD},` },
  { name: 'a check that is unclear', status: 400, path: `${BATCH_PATH}?check=maybe`, body: GOOD },
  { name: 'a wrong token', status: 401, token: 'wrong', body: GOOD },
  { name: 'too many events', status: 413, body: lines(...Array.from({ length: MAX_BATCH_EVENTS + 1 }, () => '{}')) },
  { name: 'too many bytes', status: 413, body: ' '.repeat(MAX_BATCH_BYTES + 1) },
  { name: 'an unknown encoding', status: 415, headers: [['Content-Encoding', 'br']], body: GOOD },
  { name: 'a GET', status: 405, method: 'GET', body: '' },
  { name: 'OPTIONS', status: 204, method: 'OPTIONS', body: '' },
];

let service: LocalService;
let documentation: ReturnType<typeof readDocument>;

beforeAll(async () => {
  service = await sharedService();
  documentation = readDocument(await (await fetch(`${service.origin}/openapi.json`)).text());
});

function send({
  method = 'POST',
  path = BATCH_PATH,
  token = service.token,
  headers = [],
  body,
}: Omit<BatchCase, 'name' | 'status'>) {
  return sendRaw(service.origin, {
    method,
    path,
    headers: [['Authorization', `Bearer ${token}`], ['Content-Type', 'application/x-ndjson'], ...headers],
    body: Buffer.from(body),
  });
}

function expectDocumented({ status, headers, body }: RawResponse, method: string, path: string): void {
  expect(documentation.undocumented({ method, path, status, headers, body })).toEqual([]);
}

/** The events that were accepted, and are not only checked. */
const accepted: string[] = [];

test.each(CASES)('$name: $status', async (batchCase) => {
  const { method = 'POST', path = BATCH_PATH, results = [] } = batchCase;
  const answer = await send(batchCase);
  expect(answer.status, answer.body).toBe(batchCase.status);
  expectDocumented(answer, method, path);
  if (results.length === 0) return;
  const { status, response } = JSON.parse(answer.body);
  expect(response.results.map((result: { status: number }) => result.status)).toEqual(results);
  const refused = results.filter((one) => one >= 400).length;
  expect({ status, accepted: response.accepted, refused: response.refused }).toEqual({
    status: refused === 0 ? 'success' : 'partial',
    accepted: results.length - refused,
    refused,
  });
  for (const { event_id } of response.results) if (event_id !== undefined) accepted.push(event_id);
});

test('every accepted event of a batch has one row, and no other has any', async () => {
  const store = createObjectStore(service.store);
  expect(accepted).not.toEqual([]);
  expect(await service.drain()).toBe(0);
  const landed: string[] = [];
  for await (const { key } of store.list('landing/')) {
    const text = new TextDecoder().decode(await store.get(key));
    for (const line of text.trimEnd().split('\n')) landed.push(JSON.parse(line).event_id);
  }
  expect(landed.toSorted()).toEqual(accepted.toSorted());
});

test('the answer to a single event of a sender that takes 200 only is documented', async () => {
  const answer = await send({ path: ENDPOINT_PATH, token: STRICT_TOKEN, body: GOOD });
  expect(answer.status).toBe(200);
  expectDocumented(answer, 'POST', ENDPOINT_PATH);
  expect(answer.headers['x-request-id']).toBe(JSON.parse(answer.body).response.event_id);
});
