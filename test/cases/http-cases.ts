/** Requests that have broken receivers of webhooks, each with the one answer that is right here. */

import { FULL_EVENT, inSnakeCase, SMALL_EVENT } from '../sample.ts';

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
  readonly parallel?: boolean;
  /** Columns of the stored row. */
  readonly row?: Readonly<Record<string, unknown>>;
  /** What `extra` holds; nothing when it is left out. */
  readonly extra?: unknown;
  /** The fields that the answer names. */
  readonly faults?: readonly string[];
  /** The names that the answer says are unknown. */
  readonly unknown?: readonly string[];
  /** What the detail of the answer, or that of a fault, says. */
  readonly says?: string;
  /** Headers of the answer. */
  readonly answers?: Readonly<Record<string, string>>;
}

export const ENDPOINT_PATH = '/api/1.1/wf/reservation';
const TOKEN: readonly [string, string] = ['Authentication', 'Bearer <token>'];
const JSON_TYPE: readonly [string, string] = ['Content-Type', 'application/json'];
export const ORDINARY_HEADERS = [TOKEN, JSON_TYPE];

/** The full event with changes; `undefined` takes a field away. */
const full = (changes: object) => ({ ...FULL_EVENT, ...changes });
/** The full event with one value spelled in JSON by hand. */
const spelled = (name: string, json: string) => JSON.stringify(full({ [name]: '@' })).replace('"@"', () => json);
const utf8 = (text: string) => new TextEncoder().encode(text);

const REQUIRED = [
  'IntegrationId',
  'PropertyId',
  'EventType',
  'ReservationState',
  'AssignedResourceNumber',
  'StartUtc',
  'EndUtc',
];

const tokens: readonly HttpCase[] = [
  {
    name: 'the token is checked before the body',
    status: 401,
    headers: [['Authentication', 'Bearer wrong']],
    body: '{no json',
  },
  {
    name: 'the token comes under its usual name',
    status: 202,
    headers: [['Authorization', 'Bearer <token>'], JSON_TYPE],
  },
  {
    name: 'a proxy has lowered the case',
    status: 202,
    headers: [
      ['authentication', 'bearer <token>'],
      ['content-type', 'application/json'],
    ],
  },
  {
    name: 'there are more blanks before the token',
    status: 202,
    headers: [['Authentication', 'Bearer   <token>'], JSON_TYPE],
  },
  { name: 'there is a tab before the token', status: 202, headers: [['Authentication', 'Bearer\t<token>'], JSON_TYPE] },
  {
    name: 'there are blanks around the header',
    status: 202,
    headers: [['Authentication', '   Bearer <token>  '], JSON_TYPE],
  },
  { name: 'the token stands in quotes', status: 202, headers: [['Authentication', 'Bearer "<token>"'], JSON_TYPE] },
  { name: 'the token is empty', status: 401, headers: [['Authentication', 'Bearer '], JSON_TYPE] },
  {
    name: 'the token is one character too long',
    status: 401,
    headers: [['Authentication', 'Bearer <token>x'], JSON_TYPE],
  },
  { name: 'the token is not ASCII', status: 401, headers: [['Authentication', 'Bearer jeton-\u00e9'], JSON_TYPE] },
  { name: 'the token is sent twice', status: 401, headers: [TOKEN, TOKEN, JSON_TYPE] },
  {
    name: 'the token stands in the address',
    status: 401,
    path: `${ENDPOINT_PATH}?token=<token>`,
    headers: [JSON_TYPE],
  },
  ...['Bearer: <token>', 'Bearer Bearer <token>', 'Bearer <<token>>', '<token>', 'Basic <token>'].map((value) => ({
    name: `the header is ${value}`,
    status: 401,
    headers: [['Authentication', value], JSON_TYPE] as const,
    says: 'holds a bearer token',
  })),
  {
    name: 'the token is not known',
    status: 401,
    headers: [['Authentication', 'Bearer 0123456789abcdef0123456789abcdef'], JSON_TYPE],
    says: 'is not valid',
  },
  { name: 'there is no token at all', status: 401, headers: [JSON_TYPE], answers: { 'www-authenticate': 'Bearer' } },
];

const addresses: readonly HttpCase[] = [
  { name: 'the case of the path is wrong', status: 404, path: '/API/1.1/WF/Reservation' },
  { name: 'a query is appended', status: 202, path: `${ENDPOINT_PATH}?utm_source=pms` },
  { name: 'a slash is appended', status: 202, path: `${ENDPOINT_PATH}/` },
  { name: 'another workflow is addressed', status: 404, path: '/api/1.1/wf/reservations' },
  { name: 'only the host is addressed', status: 404, path: '/' },
  { name: 'the description is addressed', status: 404, path: '/openapi.json' },
  { name: 'the path has a slash too many', status: 404, path: `/${ENDPOINT_PATH}` },
  { name: 'the address is probed with GET', status: 405, method: 'GET', body: '', answers: { allow: 'POST, OPTIONS' } },
  { name: 'the event comes with PUT', status: 405, method: 'PUT' },
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
  {
    name: 'the media type has a charset',
    status: 202,
    headers: [TOKEN, ['Content-Type', 'application/json; charset=utf-8']],
  },
  { name: 'there is no media type', status: 202, headers: [TOKEN] },
  { name: 'the media type is text/json', status: 202, headers: [TOKEN, ['Content-Type', 'text/json']] },
  {
    name: 'a form is sent',
    status: 415,
    headers: [TOKEN, ['Content-Type', 'application/x-www-form-urlencoded']],
    body: 'payload=%7B%22a%22%3A1%7D',
  },
  { name: 'the body is empty', status: 400, body: '' },
  { name: 'the body breaks off', status: 400, says: 'ends before the object does', body: '{"IntegrationId":"int-48",' },
  { name: 'the body uses single quotes', status: 400, says: 'double quotes only', body: "{'IntegrationId':'int-48',}" },
  {
    name: 'the body starts with a byte order mark',
    status: 202,
    body: new Uint8Array([0xef, 0xbb, 0xbf, ...utf8(JSON.stringify(FULL_EVENT))]),
  },
  { name: 'a number is NaN', status: 400, says: 'NaN and Infinity', body: spelled('AdultCounts', 'NaN') },
  {
    name: 'the body is encoded twice',
    status: 400,
    says: 'encoded as JSON once',
    body: JSON.stringify(JSON.stringify(FULL_EVENT)),
  },
  { name: 'the body is an array of events', status: 400, says: '/batch', body: [FULL_EVENT, FULL_EVENT] },
  { name: 'the body is an empty array', status: 400, body: [] },
  { name: 'the event is wrapped', status: 422, says: 'one level down', body: { body: FULL_EVENT }, faults: REQUIRED },
  {
    name: 'the webhook of another product is sent',
    status: 422,
    body: {
      EnterpriseId: 'e-1',
      IntegrationId: 'i-1',
      Events: [{ Discriminator: 'ServiceOrderUpdated', Value: { Id: 'o-1' } }],
    },
    faults: REQUIRED.slice(1),
  },
  {
    name: 'a health check of the sender is sent',
    status: 422,
    body: { id: 'h-1', topic: 'system', type: 'healthcheck', timestamp: 1_714_557_600_000 },
    faults: REQUIRED,
  },
  {
    name: 'several events are sent as lines',
    status: 400,
    says: '/batch',
    body: `${JSON.stringify(FULL_EVENT)}\n${JSON.stringify(FULL_EVENT)}\n`,
  },
  ...(
    [
      ['a string has a line break', '"a\nb"', 'control character'],
      ['a path has its backslashes alone', '"C:\\Users"', 'backslash'],
      ['there is a comment', '1 /* one */', 'no comments'],
      ['there is a comma too many', '1,', 'comma too many'],
      ['Python has written the value', 'None', 'true, false or null'],
      ['a number has a leading zero', '0304', 'leading zeros'],
    ] as const
  ).map(([name, json, says]) => ({ name, status: 400, body: spelled('Probe', json), says })),
  { name: 'a name has no quotes', status: 400, body: '{IntegrationId: "x"}', says: 'needs double quotes' },
  {
    name: 'the events are in a list',
    status: 422,
    body: { events: [FULL_EVENT, FULL_EVENT] },
    faults: REQUIRED,
    says: 'one event a request',
  },
  {
    name: 'the event is JSON in a string',
    status: 422,
    body: { body: JSON.stringify(FULL_EVENT) },
    faults: REQUIRED,
    says: 'encoded as JSON once',
  },
  {
    name: 'the event is wrapped twice',
    status: 422,
    says: 'innermost',
    body: { data: { event: FULL_EVENT } },
    faults: REQUIRED,
  },
  {
    name: 'lines are sent as lines',
    status: 400,
    says: '/batch',
    headers: [TOKEN, ['Content-Type', 'application/x-ndjson']],
    body: `${JSON.stringify(FULL_EVENT)}\n${JSON.stringify(FULL_EVENT)}\n`,
  },
  { name: 'UTF-16 has no mark', status: 400, says: 'UTF-16', body: new Uint8Array([0x7b, 0, 0x7d, 0]) },
  { name: 'XML is called JSON', status: 400, says: 'XML', body: '<?xml version="1.0"?><event/>' },
  { name: 'a template is not filled in', status: 400, says: 'template', body: '{"IntegrationId": {{integration.id}}}' },
  {
    name: 'a template in a text is not filled in',
    status: 422,
    says: 'not filled in',
    body: full({ StartUtc: '{{arrival}}' }),
    faults: ['StartUtc'],
  },
  {
    name: 'names are those of another system',
    status: 422,
    says: 'unknown_fields',
    unknown: ['arrival', 'departure', 'room'],
    body: {
      ...full({ StartUtc: undefined, EndUtc: undefined, AssignedResourceNumber: undefined }),
      arrival: 1,
      departure: 2,
      room: '7',
    },
    faults: ['StartUtc', 'EndUtc', 'AssignedResourceNumber'],
  },
  ...(
    [
      ['nothing', '', 400, 'holds no events'],
      ['an empty array', '[]', 400, 'holds no events'],
      ['blank lines', '\n \n', 400, 'holds no events'],
      ['a form', 'IntegrationId=int-48', 415, 'an array of them'],
      ['an array and more', '[{}] x', 400, 'one object a line'],
    ] as const
  ).map(([name, body, status, says]) => ({
    name: `the batch is ${name}`,
    status,
    path: `${ENDPOINT_PATH}/batch`,
    headers: [
      TOKEN,
      ['Content-Type', status === 415 ? 'application/x-www-form-urlencoded' : 'application/json'],
    ] as const,
    body,
    says,
  })),
  { name: 'the body is a number', status: 400, body: '42' },
  { name: 'the body is a string', status: 400, body: '"x"' },
  { name: 'the body is true', status: 400, body: 'true' },
  { name: 'the body is null', status: 400, body: 'null' },
  { name: 'the body is not UTF-8', status: 400, body: new Uint8Array([0x7b, 0x22, 0xe9, 0x22, 0x7d]) },
  { name: 'a large body has no length', status: 413, body: full({ StaffComment: 'x'.repeat(400_000) }), chunked: true },
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
  {
    name: 'a body is large in bytes and not in characters',
    status: 413,
    body: full({ StaffComment: 'é'.repeat(64_000) }),
  },
  { name: 'a small body comes in chunks', status: 202, chunked: true },
  {
    name: 'a field is named __proto__',
    status: 202,
    body: spelled('Probe', '0').replace('"Probe":0', '"__proto__":{"isAdmin":true,"EventType":"x"}'),
    extra: JSON.parse('{"__proto__":{"isAdmin":true,"EventType":"x"}}'),
  },
];

const fields: readonly HttpCase[] = [
  {
    name: 'every field is sent',
    status: 202,
    row: { staff_comment: FULL_EVENT.StaffComment, adult_counts: 2, birth_date: '1991-11-30' },
  },
  {
    name: 'only the required fields are sent',
    status: 202,
    body: SMALL_EVENT,
    row: { reservation_id: null, adult_counts: null, created_utc: null },
  },
  {
    name: 'every optional field is null',
    status: 202,
    body: { ...Object.fromEntries(Object.keys(FULL_EVENT).map((name) => [name, null])), ...SMALL_EVENT },
    row: { email: null, child_counts: null },
  },
  ...['EventType', 'StartUtc', 'ReservationState', 'AssignedResourceNumber'].map((name) => ({
    name: `${name} is missing`,
    status: 422,
    body: full({ [name]: undefined }),
    faults: [name],
  })),
  { name: 'a required field is null', status: 422, body: full({ PropertyId: null }), faults: ['PropertyId'] },
  {
    name: 'the room has two names',
    status: 202,
    body: full({ AsssignedResourceNumber: '0202' }),
    row: { assigned_resource_number: '007', warnings: ['assigned_resource_number:two_names'] },
    extra: { AsssignedResourceNumber: '0202' },
  },
  {
    name: 'only the misspelled room has a value',
    status: 202,
    body: full({ AssignedResourceNumber: null, AsssignedResourceNumber: '0101' }),
    row: { assigned_resource_number: '0101', warnings: ['assigned_resource_number:misspelled_name'] },
  },
  {
    name: 'no room is assigned yet',
    status: 422,
    body: full({ AssignedResourceNumber: null }),
    faults: ['AssignedResourceNumber'],
  },
  {
    name: 'an identifier is a number',
    status: 202,
    body: full({ PropertyId: 12_345 }),
    row: { property_id: '12345', warnings: ['property_id:number_as_text'] },
  },
  {
    name: 'half an adult travels',
    status: 202,
    body: full({ AdultCounts: 1.5 }),
    row: { adult_counts: null, warnings: ['adult_counts:not_a_count'] },
    extra: { AdultCounts: 1.5 },
  },
  {
    name: 'a count has an exponent',
    status: 202,
    body: spelled('AdultCounts', '2e0'),
    row: { adult_counts: 2, warnings: [] },
  },
  {
    name: 'a count is beyond a double',
    status: 202,
    body: spelled('AdultCounts', '1e400'),
    row: { adult_counts: null, warnings: ['adult_counts:not_a_count'] },
    extra: { AdultCounts: Number.POSITIVE_INFINITY },
  },
  {
    name: 'a field is nearly named right',
    status: 202,
    body: full({ AdultCounts: undefined, AdultCount: 2 }),
    row: { adult_counts: 2, warnings: ['adult_counts:misspelled_name'] },
  },
  {
    name: 'every name is in snake case',
    status: 202,
    body: inSnakeCase(FULL_EVENT),
    row: { reservation_id: FULL_EVENT.ReservationId, start_utc: FULL_EVENT.StartUtc },
  },
  {
    name: 'two names of a field have different values',
    status: 202,
    body: full({ reservationID: 'res-2' }),
    row: { reservation_id: FULL_EVENT.ReservationId, warnings: ['reservation_id:two_names'] },
    extra: { reservationID: 'res-2' },
  },
  {
    name: 'two names of a field have the same value',
    status: 202,
    body: full({ reservation_id: FULL_EVENT.ReservationId }),
    row: { reservation_id: FULL_EVENT.ReservationId, warnings: [] },
  },
  {
    name: 'the value under the right name cannot be used and the other can',
    status: 202,
    body: full({ StartUtc: 'soon', start_utc: '2026-07-10T15:00:00Z' }),
    row: { start_utc: '2026-07-10T15:00:00.000Z', warnings: ['start_utc:misspelled_name', 'start_utc:two_names'] },
    extra: { StartUtc: 'soon' },
  },
  {
    name: 'a name occurs twice',
    status: 202,
    body: `${JSON.stringify(FULL_EVENT).slice(0, -1)},"FirstName":"Eva"}`,
    row: { first_name: 'Eva', warnings: ['first_name:repeated_name'] },
  },
  {
    name: 'a field that is not known nests deep',
    status: 202,
    body: spelled('Probe', `${'['.repeat(400)}${']'.repeat(400)}`),
    row: { warnings: ['extra:too_deep'] },
    extra: { Probe: `${'['.repeat(400)}${']'.repeat(400)}` },
  },
  {
    name: 'a field that is not known holds half an emoji, and two names become one',
    status: 202,
    body: full({ Probe: 'x\ud83d', 'a\0': 1, 'a\ufffd': 2 }),
    row: { warnings: ['extra:replaced_characters'] },
    extra: { Probe: 'x\ufffd', 'a\ufffd': 2, 'a\ufffd#2': 1 },
  },
  { name: 'no adult travels', status: 202, body: full({ AdultCounts: 0 }), row: { adult_counts: 0, warnings: [] } },
  {
    name: 'the state has the name of an older version',
    status: 422,
    body: full({ EventType: 'ReservationEnquired', ReservationState: 'Inquired' }),
    faults: ['ReservationState'],
  },
  {
    name: 'the origin is not one of ours',
    status: 202,
    body: full({ ReservationOrigin: 'CommanderInPerson' }),
    row: { reservation_origin: null, warnings: ['reservation_origin:not_allowed'] },
    extra: { ReservationOrigin: 'CommanderInPerson' },
  },
  {
    name: 'the event type is not one of ours',
    status: 422,
    body: full({ EventType: 'ReservationModified' }),
    faults: ['EventType'],
  },
  {
    name: 'there is no reservation',
    status: 202,
    body: full({ ReservationId: undefined }),
    row: { reservation_id: null, warnings: [] },
  },
  {
    name: 'there are more fields',
    status: 202,
    body: full({ UpdatedUtc: '2026-05-01T13:05:00Z', Channel: { Name: 'ota', Codes: [1, '2', null] } }),
    row: { occurred_at: '2026-05-01T13:05:00.000Z', warnings: [] },
    extra: { Channel: { Name: 'ota', Codes: [1, '2', null] } },
  },
  {
    name: 'the nationality is not in ISO 3166',
    status: 202,
    body: full({ NationalityCode: 'UK' }),
    row: { nationality_code: 'UK' },
  },
  {
    name: 'the nationality is in lower case',
    status: 202,
    body: full({ NationalityCode: 'ru' }),
    row: { nationality_code: 'RU' },
  },
  {
    name: 'the nationality is a word',
    status: 202,
    body: full({ NationalityCode: 'Straße' }),
    row: { nationality_code: 'Straße', warnings: ['nationality_code:not_a_country_code'] },
  },
  {
    name: 'the language is a word',
    status: 202,
    body: full({ PreferredLanguage: 'German' }),
    row: { preferred_language: 'German', warnings: ['preferred_language:not_a_language_tag'] },
  },
  {
    name: 'the language has a script',
    status: 202,
    body: full({ PreferredLanguage: 'zh-Hans-CN' }),
    row: { preferred_language: 'zh-Hans-CN' },
  },
  {
    name: 'the telephone number is a number',
    status: 202,
    body: full({ Phone: 420_555_010_199 }),
    row: { phone: '420555010199', warnings: ['phone:number_as_text'] },
  },
  {
    name: 'the telephone number has too many digits for a number',
    status: 202,
    body: spelled('Phone', '12345678901234567890'),
    row: { phone: null, warnings: ['phone:inexact_number'] },
    extra: JSON.parse('{"Phone":12345678901234567890}'),
  },
  {
    name: 'an identifier has too many digits for a number',
    status: 422,
    body: spelled('PropertyId', '12345678901234567890'),
    faults: ['PropertyId'],
  },
  ...['jörg@bücher.example', "o'test@example.com", `guest-${'7f3a9c0d1e2b'.repeat(5)}@relay.example`, 'n/a'].map(
    (email) => ({
      name: `the address is ${email.slice(0, 24)}`,
      status: 202,
      body: full({ Email: email }),
      row: { email, warnings: [] },
    }),
  ),
  {
    name: 'the guest was born on an impossible day',
    status: 202,
    body: full({ BirthDate: '1980-02-30' }),
    row: { birth_date: null, warnings: ['birth_date:not_a_date'] },
    extra: { BirthDate: '1980-02-30' },
  },
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
    name: 'an emoji is cut in half',
    status: 202,
    body: spelled('StaffComment', '"cut \\ud83d end"'),
    row: { staff_comment: 'cut \ufffd end', warnings: ['staff_comment:replaced_characters'] },
  },
  {
    name: 'a text holds NUL',
    status: 202,
    body: spelled('StaffComment', '"nul \\u0000 here"'),
    row: { staff_comment: 'nul \ufffd here', warnings: ['staff_comment:replaced_characters'] },
  },
  {
    name: 'an identifier looks like a path',
    status: 202,
    body: full({ PropertyId: '../../a/b=c?d#e%2Fé ' }),
    row: { property_id: '../../a/b=c?d#e%2Fé ' },
  },
];

const placeholders: readonly HttpCase[] = [
  ...(
    [
      ['AssignedResourceNumber', 'N/A', 'assigned_resource_number:looks_empty'],
      ['PropertyId', 'null', 'property_id:looks_empty'],
      ['RateId', ' undefined ', 'rate_id:looks_empty'],
      ['ReservationId', '-', 'reservation_id:looks_empty'],
      ['PropertyId', '{{property.id}}', 'property_id:unfilled_template'],
      ['LastName', '<%= guest.last %>', 'last_name:unfilled_template'],
    ] as const
  ).map(([name, value, warning]) => ({
    name: `${name} is ${value}`,
    status: 202,
    body: full({ [name]: value }),
    row: { warnings: [warning] },
  })),
  {
    name: 'a guest is called Null',
    status: 202,
    body: full({ LastName: 'Null' }),
    row: { last_name: 'Null', warnings: [] },
  },
];

const times: readonly HttpCase[] = [
  ...(
    [
      ['2024-02-30T10:00:00Z', 'no such day'],
      ['2023-02-29T00:00:00Z', 'no such day'],
      ['2024-05-01', 'time is missing'],
      ['2016-12-31T23:59:60Z', 'seconds at 59'],
      ['2024-05-01T24:00:00Z', 'hours end at 23'],
      ['2024-05-01T13:00:00+25:00', 'no zone has such an offset'],
      ['2024-05-01T13:00:00[Europe/Prague]', 'needs its offset'],
      ['0001-01-01T00:00:00Z', '1900 to 9999'],
      ['/Date(1714568400000)/', 'ISO 8601'],
      ['1714568400', 'a number was sent'],
      [1_714_568_400_000, 'a number was sent'],
    ] as const
  ).map(([StartUtc, says]) => ({
    name: `the stay starts at ${StartUtc}`,
    status: 422,
    body: full({ StartUtc }),
    faults: ['StartUtc'],
    says,
  })),
  ...[
    ' 2026-07-10T15:00:00+02:00 ',
    '2026-07-10 15:00:00 +0200',
    '2026-07-10 13:00:00 UTC',
    '2026-07-10T15:00:00+02:00[Europe/Prague]',
    '20260710T130000Z',
  ].map((StartUtc) => ({
    name: `the stay starts at ${JSON.stringify(StartUtc)}`,
    status: 202,
    body: full({ StartUtc }),
    row: { start_utc: '2026-07-10T13:00:00.000Z', warnings: [] },
  })),
  {
    name: 'the offset has hours only',
    status: 202,
    body: full({ StartUtc: '2026-05-01T13:00:00+02' }),
    row: { start_utc: '2026-05-01T11:00:00.000Z', warnings: [] },
  },
  {
    name: 'the stay has no end',
    status: 202,
    body: full({ EndUtc: '9999-12-31T23:59:59.9999999Z' }),
    row: { end_utc: '9999-12-31T23:59:59.999Z', warnings: [] },
  },
  {
    name: 'the stay has no end, west of Greenwich',
    status: 202,
    body: full({ EndUtc: '9999-12-31T23:59:59-05:00' }),
    row: { end_utc: '9999-12-31T23:59:59.999Z', warnings: ['end_utc:beyond_9999'] },
    extra: { EndUtc: '9999-12-31T23:59:59-05:00' },
  },
  {
    name: 'the event happens in 2062',
    status: 202,
    body: full({ UpdatedUtc: '2062-05-01T13:05:00Z' }),
    row: { occurred_at: '2062-05-01T13:05:00.000Z', warnings: ['occurred_at:in_the_future'] },
  },
  {
    name: 'the time of creation is unknown',
    status: 202,
    body: full({ CreatedUtc: 'unknown' }),
    row: { created_utc: null, warnings: ['created_utc:not_a_timestamp'] },
    extra: { CreatedUtc: 'unknown' },
  },
  {
    name: 'a header says when it happened',
    status: 202,
    headers: [...ORDINARY_HEADERS, ['ce-time', '2026-05-01T13:05:00+02:00'], ['ce-id', 'msg-1']],
    row: { occurred_at: '2026-05-01T11:05:00.000Z', idempotency_key: 'msg-1', warnings: [] },
  },
  {
    name: 'body and header say when it happened',
    status: 202,
    headers: [...ORDINARY_HEADERS, ['ce-time', '2026-05-01T13:05:00Z'], ['Idempotency-Key', 'k'], ['ce-id', 'msg-1']],
    body: full({ UpdatedUtc: '2026-05-02T00:00:00Z' }),
    row: { occurred_at: '2026-05-02T00:00:00.000Z', idempotency_key: 'k', warnings: [] },
  },
  {
    name: 'the body says when it happened in a way that cannot be read, and the header helps',
    status: 202,
    headers: [...ORDINARY_HEADERS, ['ce-time', '2026-05-01T13:05:00Z']],
    body: full({ UpdatedUtc: 1_714_568_400 }),
    row: { occurred_at: '2026-05-01T13:05:00.000Z', warnings: ['occurred_at:not_a_timestamp'] },
    extra: { UpdatedUtc: 1_714_568_400 },
  },
  {
    name: 'the header that says when it happened cannot be read',
    status: 202,
    headers: [...ORDINARY_HEADERS, ['ce-time', 'yesterday']],
    row: { occurred_at: null, warnings: ['occurred_at:not_a_timestamp'] },
  },
  {
    name: 'nothing says when it happened',
    status: 202,
    row: { occurred_at: null, warnings: [] },
  },
  {
    name: 'the guest came early',
    status: 202,
    body: full({ StartUtc: '2026-07-10T10:12:31Z' }),
    row: { start_utc: '2026-07-10T10:12:31.000Z', warnings: [] },
  },
];

const deliveries: readonly HttpCase[] = [
  { name: 'the same event comes three times', status: 202, times: 3 },
  { name: 'the same event comes twenty times', status: 202, times: 20 },
  { name: 'the same event comes ten times at once', status: 202, times: 10, parallel: true },
  ...['Confirmed', 'Canceled', 'Confirmed', 'Canceled'].map((state, at) => ({
    name: `a reservation goes back and forth (${at + 1}: ${state})`,
    status: 202,
    body: full({ EventType: `Reservation${state}`, ReservationState: state }),
    row: { reservation_state: state },
  })),
  ...['Processed', 'Started'].map((state) => ({
    name: `events come in the wrong order (${state})`,
    status: 202,
    body: full({ EventType: `Reservation${state}`, ReservationState: state }),
    row: { reservation_state: state, warnings: [] },
  })),
];

/** All of them. */
export const HTTP_CASES: readonly HttpCase[] = [
  ...tokens,
  ...addresses,
  ...bodies,
  ...fields,
  ...placeholders,
  ...times,
  ...deliveries,
];
