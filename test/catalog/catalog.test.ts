import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { catalog } from '../../src/catalog/catalog.ts';
import type { Env } from '../../src/config.ts';
import { byPath } from '../../src/http/route-by-path.ts';
import { router } from '../../src/routes.ts';
import { writeTable } from '../../src/table/write-table.ts';
import { emptyBucket, HOUR, lineAt } from '../publish/landing.ts';
import { bucketWith, outOfOrder } from '../stores.ts';
import { publishPart, toolsAt } from '../table/events.ts';

const TOKENS = {
  hotel: `token-of-a-hotel-${'h'.repeat(32)}`,
  analyst: `token-of-an-analyst-${'r'.repeat(32)}`,
  ops: `token-of-ops-${'o'.repeat(32)}`,
};
const { WRONG_TOKEN_RATE: _, ...unlimited } = env;
const SENDERS: Env = {
  ...unlimited,
  API_TOKENS: JSON.stringify({
    hotel: { tokens: [TOKENS.hotel] },
    analyst: { tokens: [TOKENS.analyst], role: 'reader' },
    ops: { tokens: [TOKENS.ops], role: 'operator' },
  }),
};
const TABLE = '/namespaces/reservations/tables/events';

beforeEach(() => emptyBucket());
afterEach(() => emptyBucket());

interface Options {
  readonly token?: string;
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly using?: Env;
  readonly origin?: string;
}

function ask(path: string, options: Options = {}): Promise<Response> {
  const {
    token = TOKENS.analyst,
    method = 'GET',
    headers = {},
    using = SENDERS,
    origin = 'https://x.example',
  } = options;
  const authorization = token === '' ? {} : { Authorization: `Bearer ${token}` };
  const request = new Request(`${origin}/iceberg/v1${path}`, { method, headers: { ...authorization, ...headers } });
  return catalog(request, using);
}

const answerTo = async (path: string, options: Options = {}) => {
  const response = await ask(path, options);
  return [response.status, await response.json()] as const;
};

function errorOf(code: number, type: string) {
  return [code, { error: { message: expect.any(String), type, code } }];
}

/** A table with two rows, in version 2 of its metadata. */
async function makeTable(): Promise<void> {
  await publishPart(1, [lineAt(HOUR), lineAt(HOUR + 1)]);
  await writeTable(await toolsAt(HOUR + 1));
}

describe('catalog()', () => {
  test('refuses a reader who asks too often, and says in the log whom and why', async () => {
    const logged = vi.spyOn(console, 'log').mockImplementation(() => undefined);
    const asked: string[] = [];
    const limit = async ({ key }: { key: string }) => ({ success: asked.push(key) <= 1 });
    const using = { ...SENDERS, BATCH_RATE: { limit } };
    expect((await ask('/config', { using })).status).toBe(200);
    const response = await ask('/config', { using });
    expect([response.status, response.headers.get('Retry-After')]).toEqual([429, '60']);
    expect((await ask('/config', { using, token: 'wrong' })).status).toBe(401);
    expect(asked).toEqual(['analyst', 'analyst']);
    const lines = logged.mock.calls.map(([line]) => line);
    logged.mockRestore();
    const known = { event: 'catalog', method: 'GET', version: expect.any(String), request_id: expect.any(String) };
    const reader = { reader: 'analyst', token: 1 };
    expect(lines).toEqual([
      { ...known, ...reader, status: 200 },
      { ...known, ...reader, status: 429, refusal: 'too_many_requests' },
      { ...known, status: 401, refusal: 'unauthorized' },
    ]);
  });

  test('says what a client may ask for', async () => {
    const [status, config] = await answerTo('/config?warehouse=reservations');
    expect([status, config]).toEqual([200, { defaults: {}, overrides: {}, endpoints: expect.any(Array) }]);
    const verbs = new Set(
      (config as { endpoints: string[] }).endpoints.map((line) => line.replace(/ .*namespaces/, ' ')),
    );
    expect([...verbs].filter((verb) => !/^(?:GET|HEAD) /.test(verb))).toEqual([
      'POST /{namespace}/tables/{table}/metrics',
    ]);
  });

  test('has one namespace with one table, as soon as that is there', async () => {
    const list = '/namespaces/reservations/tables';
    expect(await answerTo(list)).toEqual([200, { identifiers: [] }]);
    expect(await answerTo(TABLE)).toEqual(errorOf(404, 'NoSuchTableException'));
    await makeTable();
    for (const query of ['', '?parent=', '?pageToken=&pageSize=100']) {
      expect(await answerTo(`/namespaces${query}`)).toEqual([200, { namespaces: [['reservations']] }]);
      const tables = { identifiers: [{ namespace: ['reservations'], name: 'events' }] };
      expect(await answerTo(`${list}${query}`)).toEqual([200, tables]);
    }
    expect(await answerTo('/namespaces?parent=reservations')).toEqual([200, { namespaces: [] }]);
    expect(await answerTo('/namespaces/reservations')).toEqual([200, { namespace: ['reservations'], properties: {} }]);
    expect(await answerTo('/namespaces/reservations/views')).toEqual([200, { identifiers: [] }]);
  });

  test('loads the table with its metadata as the bucket has them, and says how its objects are reached', async () => {
    await makeTable();
    const [status, loaded] = await answerTo(TABLE);
    const metadata = await (await env.BUCKET.get('iceberg/events/metadata/v2.metadata.json'))?.json();
    expect([status, loaded]).toEqual([
      200,
      {
        'metadata-location': 's3://reservation-events/iceberg/events/metadata/v2.metadata.json',
        metadata,
        config: {
          's3.endpoint': 'http://localhost:8787/cdn-cgi/local/r2/s3/',
          's3.path-style-access': 'true',
          's3.region': 'auto',
          'client.region': 'auto',
        },
      },
    ]);
  });

  test.each([
    [
      'http://localhost:8787/cdn-cgi/local/r2/s3',
      'http://localhost:4711',
      'http://localhost:4711/cdn-cgi/local/r2/s3/',
    ],
    ['https://id.eu.r2.cloudflarestorage.com', 'https://x.example', 'https://id.eu.r2.cloudflarestorage.com/'],
    ['https://id.r2.cloudflarestorage.com/', 'http://localhost:4711', 'https://id.r2.cloudflarestorage.com/'],
    ['', 'https://x.example', undefined],
  ])('names for S3_ENDPOINT %j, asked at %s, the address %s', async (S3_ENDPOINT, origin, expected) => {
    await makeTable();
    const [, loaded] = await answerTo(TABLE, { using: { ...SENDERS, S3_ENDPOINT }, origin });
    expect((loaded as { config: Record<string, string> }).config['s3.endpoint']).toBe(expected);
  });

  test('sends nothing again that a client has', async () => {
    await makeTable();
    const etag = (await ask(TABLE)).headers.get('etag') ?? '';
    for (const known of [etag, `"other", W/${etag}`]) {
      const response = await ask(TABLE, { headers: { 'If-None-Match': known } });
      expect([response.status, response.headers.get('etag'), await response.text()]).toEqual([304, etag, '']);
    }
    await publishPart(2, [lineAt(HOUR + 2)]);
    await writeTable(await toolsAt(HOUR + 2));
    expect((await ask(TABLE, { headers: { 'If-None-Match': etag } })).status).toBe(200);
  });

  test.each([
    ['/namespaces/reservations', 204],
    [TABLE, 204],
    ['/namespaces/other', 404],
    ['/namespaces/reservations/tables/other', 404],
  ])('answers HEAD of %s with %i and no body', async (path, status) => {
    await makeTable();
    const response = await ask(path, { method: 'HEAD' });
    expect([response.status, response.body]).toEqual([status, null]);
  });

  test.each([
    ['/namespaces/other', 'NoSuchNamespaceException', 404],
    ['/namespaces/reservations%1Fmore/tables', 'NoSuchNamespaceException', 404],
    ['/namespaces?parent=other', 'NoSuchNamespaceException', 404],
    ['/namespaces/reservations/tables/other', 'NoSuchTableException', 404],
    ['/namespaces/reservations/views/other', 'NoSuchViewException', 404],
    ['/namespaces/reservations/functions', 'NotFoundException', 404],
    ['/other', 'NotFoundException', 404],
    ['/namespaces/%E0%A4%A', 'BadRequestException', 400],
  ])('answers GET of %s with %s', async (path, type, code) => {
    expect(await answerTo(path)).toEqual(errorOf(code, type));
  });

  test.each([
    ['POST', '/namespaces'],
    ['DELETE', '/namespaces/reservations'],
    ['POST', '/namespaces/reservations/properties'],
    ['POST', '/namespaces/reservations/tables'],
    ['POST', '/namespaces/reservations/register'],
    ['POST', TABLE],
    ['DELETE', TABLE],
    ['POST', '/tables/rename'],
    ['POST', '/transactions/commit'],
    ['POST', '/oauth/tokens'],
  ])('refuses what would write: %s %s', async (method, path) => {
    await makeTable();
    expect(await answerTo(path, { method })).toEqual(errorOf(406, 'UnsupportedOperationException'));
  });

  test('takes what a client reports of its reading, and keeps nothing of it', async () => {
    expect((await ask(`${TABLE}/metrics`, { method: 'POST' })).status).toBe(204);
  });

  test.each([
    ['no token', '', errorOf(401, 'NotAuthorizedException')],
    ['a wrong token', `${TOKENS.analyst}x`, errorOf(401, 'NotAuthorizedException')],
    ["a sender's token", TOKENS.hotel, errorOf(403, 'ForbiddenException')],
  ])('refuses %s whatever is asked', async (_, token, expected) => {
    await makeTable();
    for (const path of ['/config', TABLE, '/nowhere']) expect(await answerTo(path, { token })).toEqual(expected);
    expect(await answerTo('/namespaces', { token, method: 'POST' })).toEqual(expected);
  });

  test('takes the token of an operator', async () => {
    expect((await ask('/config', { token: TOKENS.ops })).status).toBe(200);
  });

  test('answers by the error model when the bucket does not', async () => {
    const using = { ...SENDERS, BUCKET: bucketWith({ list: outOfOrder }) };
    expect(await answerTo(TABLE, { using })).toEqual(errorOf(503, 'ServiceUnavailableException'));
  });
});

test('`router` leads to the catalog', async () => {
  const headers = { Authorization: `Bearer ${TOKENS.analyst}` };
  const request = new Request('https://x.example/iceberg/v1/namespaces?parent=', { headers });
  const response: Response = await router.fetch(byPath(request), SENDERS, {} as ExecutionContext);
  expect(await response.json()).toEqual({ namespaces: [['reservations']] });
});
