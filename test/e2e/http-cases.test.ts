/** Every case, byte by byte, against the service as a user starts it. */

import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import type { LocalService } from '../../src/cli/local-service.ts';
import { createObjectStore } from '../../src/cli/object-store.ts';
import { ENDPOINT_PATH, HTTP_CASES, type HttpCase, ORDINARY_HEADERS } from '../cases/http-cases.ts';
import { FULL_EVENT } from '../sample.ts';
import { readDocument } from '../site/openapi/documented.ts';
import { type RawResponse, sendRaw } from './raw-http.ts';
import { sharedService } from './shared-service.ts';

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

function send({
  method = 'POST',
  path = ENDPOINT_PATH,
  headers = ORDINARY_HEADERS,
  body,
  chunked = false,
}: HttpCase): Promise<RawResponse> {
  const fill = (text: string) => text.replace('<token>', service.token);
  return sendRaw(service.origin, {
    method,
    path: fill(path),
    headers: headers.map(([name, value]) => [name, fill(value)]),
    body: bytesOf(body),
    ...(chunked && { chunkBytes: 1_000 }),
  });
}

async function sendAll(httpCase: HttpCase): Promise<RawResponse[]> {
  const { times = 1, parallel = false } = httpCase;
  if (parallel) return Promise.all(Array.from({ length: times }, () => send(httpCase)));
  const answers = [];
  for (let sent = 0; sent < times; sent += 1) answers.push(await send(httpCase));
  return answers;
}

/** The event_ids of accepted events, with the case each belongs to. */
const accepted = new Map<string, HttpCase>();

describe('the answer, when', () => {
  test.each(HTTP_CASES)('$name: $status', async (httpCase) => {
    const { method = 'POST', path = ENDPOINT_PATH } = httpCase;
    for (const { status, headers, body } of await sendAll(httpCase)) {
      expect(status, body).toBe(httpCase.status);
      expect(documentation.undocumented({ method, path, status, headers, body })).toEqual([]);
      expect(headers).toMatchObject({
        ...(status !== 202 && { 'cache-control': 'no-store' }),
        ...httpCase.answers,
      });
      if (status === 202) accepted.set(JSON.parse(body).response.event_id, httpCase);
      if (status < 400) continue;
      expect(headers['content-type']).toBe('application/problem+json');
      const problem = JSON.parse(body);
      expect(problem).toMatchObject({ status, request_id: headers['x-request-id'] });
      const details = [problem.detail, ...(problem.errors ?? []).map(({ detail }: { detail: string }) => detail)];
      expect(details.join('\n')).toContain(httpCase.says ?? '');
      const fields = problem.errors?.map(({ field }: { field: string }) => field);
      expect(fields?.toSorted()).toEqual(httpCase.faults?.toSorted());
      if (httpCase.unknown) expect(problem.unknown_fields).toEqual(httpCase.unknown);
    }
  });
});

describe('the rows', () => {
  const rows = new Map<string, Record<string, unknown>>();

  beforeAll(async () => {
    const store = createObjectStore(service.store);
    const read = new Set<string>();
    for (; rows.size < accepted.size; await sleep(100)) {
      for await (const { key } of store.list('landing/')) {
        if (read.has(key)) continue;
        read.add(key);
        expect(key).toMatch(/^landing\/dt=\d{4}-\d\d-\d\d\/hour=\d\d\/[\da-f-]{36}\.ndjson$/);
        const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await store.get(key));
        expect(text.endsWith('\n')).toBe(true);
        for (const line of text.trimEnd().split(/[\n\r\u0085\u2028\u2029]/)) {
          const row = JSON.parse(line);
          rows.set(row.event_id, row);
        }
      }
    }
  });

  test('are one for each accepted event and none for any other', () => {
    expect([...rows.keys()].toSorted()).toEqual([...accepted.keys()].toSorted());
  });

  test('hold what each case says', () => {
    for (const [eventId, { name, row, extra }] of accepted) {
      const stored = rows.get(eventId);
      expect(stored, name).toMatchObject({ sender: 'default', ...row });
      expect(typeof stored?.extra === 'string' ? JSON.parse(stored.extra) : undefined, name).toEqual(extra);
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
