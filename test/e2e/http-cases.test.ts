/** Every case, byte by byte, against the service as a user starts it. */

import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, test } from 'vitest';
import type { LocalService } from '../../src/cli/local-service.ts';
import { createObjectStore } from '../../src/cli/object-store.ts';
import { ENDPOINT_PATH } from '../../src/contract/endpoint.ts';
import { HTTP_CASES, type HttpCase, ORDINARY_HEADERS } from '../cases/http-cases.ts';
import { FULL_EVENT } from '../sample.ts';
import { readDocument } from '../site/openapi/documented.ts';
import { sharedService } from './shared-service.ts';

const CHUNK_BYTES = 1_000;

let service: LocalService;
let documentation: ReturnType<typeof readDocument>;

beforeAll(async () => {
  service = await sharedService();
  documentation = readDocument(await (await fetch(`${service.origin}/openapi.json`)).text());
});

function bytesOf(body: HttpCase['body']): Uint8Array {
  if (body instanceof Uint8Array) return body;
  return new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body ?? FULL_EVENT));
}

interface Answer {
  readonly status: number;
  /** By lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** How often a request is sent of which a reset took the answer away. */
const TRIES = 5;

/**
 * Sends one request on a connection of its own. A service that answers before it has read all of a body closes with bytes
 * unread: the connection is then reset, which can take the answer away (RFC 9112 section 9.6), so that the request is sent
 * again.
 */
async function send(httpCase: HttpCase): Promise<Answer> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await sendOnce(httpCase);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      if (tries === TRIES || !(code === 'EPIPE' || code === 'ECONNRESET')) throw error;
    }
  }
}

function sendOnce(httpCase: HttpCase): Promise<Answer> {
  const { method = 'POST', path = ENDPOINT_PATH, headers = ORDINARY_HEADERS, chunked = false } = httpCase;
  const body = bytesOf(httpCase.body);
  const fill = (part: string) => part.replace('<token>', service.token);
  const framing = chunked ? ['Transfer-Encoding', 'chunked'] : ['Content-Length', String(body.byteLength)];
  // As a list, headers are sent as they are written, and twice where they stand twice.
  const lines = ['Host', new URL(service.origin).host, 'Connection', 'close', ...framing, ...headers.flat().map(fill)];
  return new Promise((resolve, reject) => {
    const sending = request(service.origin, { method, path: fill(path), headers: lines });
    sending.on('error', reject).on('response', (response) => {
      const { statusCode: status = 0, headers: received } = response;
      const named = Object.fromEntries(Object.entries(received).map(([name, value]) => [name, String(value)]));
      text(response).then((answer) => resolve({ status, headers: named, body: answer }), reject);
    });
    for (let at = 0; at < body.byteLength; at += CHUNK_BYTES) sending.write(body.subarray(at, at + CHUNK_BYTES));
    sending.end();
  });
}

/** The identifiers of refused requests, of which each has its own. */
const requestIds = new Set<string>();
/** The event_ids of accepted events, with the case each belongs to. */
const accepted = new Map<string, HttpCase>();

/** Holds what is said of events that were taken, and notes those that have to be stored. */
function expectTaken(httpCase: HttpCase, { status, headers, body }: Answer): void {
  const answer = JSON.parse(body);
  const { event_id, results = [], accepted: count, refused } = answer.response;
  const statuses: readonly number[] = results.map((result: { status: number }) => result.status);
  expect(statuses).toEqual(httpCase.results ?? []);
  if (event_id !== undefined) expect(headers['x-request-id']).toBe(status === 202 ? undefined : event_id);
  if (httpCase.results !== undefined) {
    const bad = statuses.filter((each) => each >= 400).length;
    const said = bad === 0 ? 'success' : 'partial';
    expect([answer.status, count, refused]).toEqual([said, statuses.length - bad, bad]);
  }
  const ids = [event_id, ...results.map((result: { event_id?: string }) => result.event_id)];
  for (const id of ids.filter((each) => each !== undefined)) accepted.set(id, httpCase);
}

describe('the answer, when', () => {
  test.each(HTTP_CASES)('$name: $status', async (httpCase) => {
    const { method = 'POST', path = ENDPOINT_PATH, times = 1 } = httpCase;
    for (let sent = 0; sent < times; sent += 1) {
      const { status, headers, body } = await send(httpCase);
      expect(status, body).toBe(httpCase.status);
      expect(documentation.undocumented({ method, path, status, headers, body })).toEqual([]);
      expect(headers).toMatchObject({
        ...(status !== 202 && { 'cache-control': 'no-store' }),
        ...httpCase.answers,
      });
      if (status === 204) continue;
      if (status < 400) {
        expectTaken(httpCase, { status, headers, body });
        continue;
      }
      expect(headers['content-type']).toBe('application/problem+json');
      const problem = JSON.parse(body);
      expect(problem).toMatchObject({ status, request_id: headers['x-request-id'] });
      expect(requestIds).not.toContain(problem.request_id);
      requestIds.add(problem.request_id);
      const details = [problem.detail, ...(problem.errors ?? []).map(({ detail }: { detail: string }) => detail)];
      expect(details.join('\n')).toContain(httpCase.says ?? '');
      const fields = problem.errors?.map(({ field }: { field: string }) => field);
      expect(fields?.toSorted()).toEqual(httpCase.faults?.toSorted());
    }
  });
});

describe('the rows', () => {
  const rows = new Map<string, Record<string, unknown>>();

  beforeAll(async () => {
    const store = createObjectStore(service.store);
    expect(await service.drain()).toBe(0);
    for await (const { key } of store.list('landing/')) {
      expect(key).toMatch(/^landing\/dt=\d{4}-\d\d-\d\d\/hour=\d\d\/[\da-f-]{36}\.ndjson$/);
      const lines = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await store.get(key));
      expect(lines.endsWith('\n')).toBe(true);
      for (const line of lines.trimEnd().split(/[\n\r\u0085\u2028\u2029]/)) {
        const row = JSON.parse(line);
        rows.set(row.event_id, row);
      }
    }
  });

  test('are one for each accepted event and none for any other', () => {
    expect([...rows.keys()].toSorted()).toEqual([...accepted.keys()].toSorted());
  });

  test('hold what each case says', () => {
    for (const [eventId, { name, row }] of accepted) {
      expect(rows.get(eventId), name).toMatchObject({ sender: 'default', extra: null, ...row });
    }
  });

  test('hold every field of a full event', () => {
    const [eventId = ''] = [...accepted].find(([, { name }]) => name === 'every field is sent') ?? [];
    const stored = Object.values(rows.get(eventId) ?? {});
    for (const value of Object.values(FULL_EVENT)) expect(stored).toContainEqual(value);
  });

  test('carry one fingerprint for equal events, and sort by event_id in the order of arrival', () => {
    const same = [...accepted]
      .filter(([, { name }]) => name === 'the same event comes twenty times')
      .map(([eventId]) => eventId);
    expect(new Set(same.map((eventId) => rows.get(eventId)?.event_fingerprint)).size).toBe(1);
    expect(same.toSorted()).toEqual(same);
  });
});
