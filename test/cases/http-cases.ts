/**
 * Requests that have broken receivers of webhooks, each with the one answer that is right here: what depends on HTTP, on
 * how a body comes, and on the way of a row to its object. What a value becomes is in test/contract, what is said of a
 * body that is no event in test/intake/problem.test.ts.
 */

import { gzipSync } from 'node:zlib';
import { BATCH_PATH, ENDPOINT_PATH, MAX_BATCH_BYTES, MAX_BATCH_EVENTS } from '../../src/contract/endpoint.ts';
import { STRICT_TOKEN } from '../e2e/shared-service.ts';
import { FULL_EVENT, SMALL_EVENT } from '../sample.ts';

/** A request to the endpoint and what must come of it. What is left out is an ordinary POST of the full event. */
export interface HttpCase {
  readonly name: string;
  readonly status: number;
  readonly method?: string;
  readonly path?: string;
  /** The header lines, in order; `<token>` stands for the token. */
  readonly headers?: readonly (readonly [name: string, value: string])[];
  /** An object is sent as JSON, a text as UTF-8. */
  readonly body?: object | string | Uint8Array;
  readonly chunked?: boolean;
  /** How often the request is sent. */
  readonly times?: number;
  /** The status of each event, where a batch was taken. */
  readonly results?: readonly number[];
  /** Columns of the stored rows. */
  readonly row?: Readonly<Record<string, unknown>>;
  /** The fields that the answer names. */
  readonly faults?: readonly string[];
  /** What the detail of the answer, or that of a fault, says. */
  readonly says?: string;
  /** Headers of the answer. */
  readonly answers?: Readonly<Record<string, string>>;
}

const TOKEN: readonly [string, string] = ['Authentication', 'Bearer <token>'];
const JSON_TYPE: readonly [string, string] = ['Content-Type', 'application/json'];
export const ORDINARY_HEADERS = [TOKEN, JSON_TYPE];

/** The full event with changes; `undefined` takes a field away. */
const full = (changes: object) => ({ ...FULL_EVENT, ...changes });

/** A POST of the full event whose token comes in these header lines. */
const withToken = (name: string, status: number, values: readonly string[], says = ''): HttpCase => ({
  name,
  status,
  headers: [...values.map((value) => ['Authentication', value] as const), JSON_TYPE],
  says,
});

const tokens: readonly HttpCase[] = [
  withToken('there is a tab before the token', 202, ['Bearer\t<token>']),
  withToken('there are blanks around the header', 202, ['   Bearer <token>  ']),
  withToken('the token stands in quotes', 202, ['Bearer "<token>"']),
  withToken('the token is not ASCII', 401, ['Bearer jeton-\u00e9']),
  withToken('the token is sent twice', 401, ['Bearer <token>', 'Bearer <token>']),
  withToken('the token is alone', 401, ['<token>'], 'holds a bearer token'),
  withToken('the token is not known', 401, ['Bearer 0123456789abcdef0123456789abcdef'], 'is not valid'),
  { ...withToken('the token stands in the address', 401, []), path: `${ENDPOINT_PATH}?token=<token>` },
  {
    name: 'a proxy has lowered the case',
    status: 202,
    headers: [
      ['authorization', 'bearer <token>'],
      ['content-type', 'application/json'],
    ],
  },
];

const addresses: readonly HttpCase[] = [
  { name: 'only the host is addressed', status: 404, path: '/' },
  { name: 'the description is addressed', status: 404, path: '/openapi.json' },
  { name: 'the path has a slash too many', status: 404, path: `/${ENDPOINT_PATH}` },
  { name: 'the event comes with PUT', status: 405, method: 'PUT', answers: { allow: 'POST, OPTIONS' } },
  {
    name: 'a browser asks what it may send',
    status: 204,
    method: 'OPTIONS',
    headers: [
      ['Origin', 'https://probe.example'],
      ['Access-Control-Request-Method', 'POST'],
    ],
    body: '',
    answers: { allow: 'POST, OPTIONS' },
  },
];

const bodies: readonly HttpCase[] = [
  { name: 'every field is sent', status: 202 },
  {
    name: 'only the required fields are sent',
    status: 202,
    body: SMALL_EVENT,
    row: { reservation_id: null, adult_counts: null, created_utc: null },
  },
  {
    name: 'a form is sent',
    status: 415,
    headers: [TOKEN, ['Content-Type', 'application/x-www-form-urlencoded']],
    body: 'payload=%7B%22a%22%3A1%7D',
  },
  { name: 'the body is empty', status: 400, body: '' },
  { name: 'the body breaks off', status: 400, says: 'ends before the object does', body: '{"IntegrationId":"int-48",' },
  { name: 'the body is not UTF-8', status: 400, body: new Uint8Array([0x7b, 0x22, 0xe9, 0x22, 0x7d]) },
  { name: 'the event type is none', status: 422, body: full({ EventType: 'Modified' }), faults: ['EventType'] },
  { name: 'a large body has no length', status: 413, body: full({ StaffComment: 'x'.repeat(400_000) }), chunked: true },
  {
    name: 'a body is large in bytes and not in characters',
    status: 413,
    body: full({ StaffComment: 'é'.repeat(64_000) }),
  },
  { name: 'a small body comes in chunks', status: 202, chunked: true },
  {
    name: 'a large body that comes in chunks says that it is short',
    status: 413,
    headers: [...ORDINARY_HEADERS, ['Content-Length', '10']],
    body: full({ StaffComment: 'x'.repeat(400_000) }),
    chunked: true,
  },
  {
    name: 'a small body that comes in chunks says that it is shorter',
    status: 202,
    headers: [...ORDINARY_HEADERS, ['Content-Length', '10']],
    chunked: true,
  },
];

const rows: readonly HttpCase[] = [
  ...[
    `${'The guest asks for a quiet room. '.repeat(10)}😀`,
    'line1\nline2\r\nline3\ttab "quoted" back\\slash',
    'a\u2028b\u2029c\u0085d\u000be',
    '\u202eabc\u202c שלום e\u0301 👩‍👩‍👧',
    '=HYPERLINK("https://evil.example","x")',
  ].map((comment) => ({
    name: `the comment is ${JSON.stringify(comment).slice(0, 24)}`,
    status: 202,
    body: full({ StaffComment: comment }),
    row: { staff_comment: comment, warnings: [] },
  })),
  {
    name: 'an identifier looks like a path',
    status: 202,
    body: full({ PropertyId: '../../a/b=c?d#e%2Fé ' }),
    row: { property_id: '../../a/b=c?d#e%2Fé ' },
  },
  {
    name: 'headers say when it happened and name the delivery',
    status: 202,
    headers: [...ORDINARY_HEADERS, ['ce-time', '2026-05-01T13:05:00+02:00'], ['ce-id', 'msg-1']],
    row: { occurred_at: '2026-05-01T11:05:00.000Z', idempotency_key: 'msg-1', warnings: [] },
  },
];

const deliveries: readonly HttpCase[] = [
  { name: 'the same event comes twenty times', status: 202, times: 20 },
  // Back and forth, and in the wrong order.
  ...['Confirmed', 'Canceled', 'Confirmed', 'Canceled', 'Processed', 'Started'].map((state, at) => ({
    name: `a reservation goes on (${at + 1}: ${state})`,
    status: 202,
    body: full({ EventType: `Reservation${state}`, ReservationState: state }),
    row: { reservation_state: state, warnings: [] },
  })),
];

const GOOD = JSON.stringify(FULL_EVENT);
const BAD = JSON.stringify(full({ EventType: 'Moved' }));
const lines = (...events: readonly string[]) => events.map((event) => `${event}\n`).join('');

/** A case of a batch, which is good where nothing else is said. */
const batch = (name: string, status: number, body: HttpCase['body'], more: Partial<HttpCase> = {}): HttpCase => ({
  name: `the batch is ${name}`,
  status,
  path: BATCH_PATH,
  body: body ?? '',
  ...more,
});
const CHECK = { path: `${BATCH_PATH}?check` };
const STRICT = {
  headers: [['Authorization', `Bearer ${STRICT_TOKEN}`], JSON_TYPE],
  row: { sender: 'strict' },
} as const;

const batches: readonly HttpCase[] = [
  batch('NDJSON', 202, lines(GOOD, GOOD), { results: [202, 202] }),
  batch('an array', 202, `[${GOOD},${GOOD}]`, { results: [202, 202] }),
  batch('sent with a slash behind the address', 202, GOOD, { path: `${BATCH_PATH}/`, results: [202] }),
  batch('gzip', 202, gzipSync(lines(GOOD, GOOD)), {
    headers: [...ORDINARY_HEADERS, ['Content-Encoding', 'gzip']],
    results: [202, 202],
  }),
  batch('an event with a key of its own', 202, `[{"idempotency_key":"k-1","event":${GOOD}}]`, {
    results: [202],
    row: { idempotency_key: 'k-1' },
  }),
  batch('good and bad events', 207, lines(GOOD, BAD, '{"PropertyId":', GOOD), { results: [202, 422, 400, 202] }),
  batch('bad events only', 207, lines(BAD, BAD), { results: [422, 422] }),
  batch('only checked', 200, lines(GOOD, GOOD), { ...CHECK, results: [200, 200] }),
  batch('only checked, and bad', 207, lines(GOOD, BAD), { ...CHECK, results: [200, 422] }),
  batch('of a sender that takes 200 only', 200, lines(GOOD, GOOD), { ...STRICT, results: [200, 200] }),
  batch('bad, of a sender that takes 200 only', 207, lines(GOOD, BAD), { ...STRICT, results: [200, 422] }),
  { name: 'a sender takes 200 only', status: 200, ...STRICT },
  ...['', '[]', '\n \n'].map((body) => batch(JSON.stringify(body), 400, body, { says: 'holds no events' })),
  batch('an array that does not end', 400, `[${GOOD},`),
  batch('an array and more', 400, '[{}] x', { says: 'one object a line' }),
  batch('a form', 415, 'IntegrationId=int-48', {
    headers: [TOKEN, ['Content-Type', 'application/x-www-form-urlencoded']],
    says: 'an array of them',
  }),
  batch('checked, and that is unclear', 400, GOOD, { path: `${BATCH_PATH}?check=maybe` }),
  batch('sent with a wrong token', 401, GOOD, { headers: [['Authorization', 'Bearer wrong'], JSON_TYPE] }),
  batch('of too many events', 413, '{}\n'.repeat(MAX_BATCH_EVENTS + 1)),
  batch('of too many bytes', 413, ' '.repeat(MAX_BATCH_BYTES + 1)),
  batch('in an unknown encoding', 415, GOOD, { headers: [...ORDINARY_HEADERS, ['Content-Encoding', 'br']] }),
  batch('asked for with GET', 405, '', { method: 'GET' }),
  batch('asked about with OPTIONS', 204, '', { method: 'OPTIONS' }),
];

/** All of them. */
export const HTTP_CASES: readonly HttpCase[] = [...tokens, ...addresses, ...bodies, ...rows, ...deliveries, ...batches];
