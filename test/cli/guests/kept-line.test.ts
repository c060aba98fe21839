import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { identifiersIn } from '../../../src/cli/guests/body-identifiers.ts';
import { keptBodyOf, readKeptLine } from '../../../src/cli/guests/kept-line.ts';
import { type GuestSelection, idsOfUnknownHotels } from '../../../src/guests/selection.ts';
import type { DeadLetter } from '../../../src/storage/dead-letter.ts';
import { ndjson } from '../../../src/storage/line.ts';
import { finds, HOTEL, NOBODY, rowOf } from '../../guests/selections.ts';
import { rejectionLine } from '../../records.ts';

const GUEST = {
  CustomerId: 'cust-20733',
  FirstName: 'Amélie',
  LastName: 'Novák',
  BirthDate: '1987-11-02',
  Email: 'Amelie.Novak@example.com',
  Phone: '602 123 456',
};
const BODY = JSON.stringify(GUEST);
const IN_ASCII = BODY.replace('é', '\\u00e9').replace('á', '\\u00e1');

const SAID: Partial<GuestSelection>[] = [
  { emails: ['amelie.novak@example.com'] },
  { phones: ['+420 602 123 456'] },
  { names: ['Amélie Novák'], birthDates: ['1987-11-02'] },
];

function buried(body: string, body_encoding: DeadLetter['body_encoding'] = 'text'): string {
  return ndjson({
    message_id: 'a1',
    queue: 'reservation-events',
    attempts: 1,
    enqueued_at: '2026-05-18T15:04:05.776Z',
    dead_lettered_at: '2026-05-18T15:04:05.776Z',
    body_encoding,
    body,
  } satisfies DeadLetter);
}

/** Text in a wide encoding, without a byte order mark. */
function wide(text: string, bytesEach: 2 | 4, isLittle: boolean): Buffer {
  const bytes = Buffer.alloc(text.length * bytesEach);
  for (const [at, char] of [...text].entries()) {
    const code = char.codePointAt(0) ?? 0;
    if (bytesEach === 2) bytes[isLittle ? 'writeUInt16LE' : 'writeUInt16BE'](code, at * 2);
    else bytes[isLittle ? 'writeUInt32LE' : 'writeUInt32BE'](code, at * 4);
  }
  return bytes;
}

const NO_CHARACTER = Buffer.concat([wide(BODY, 4, true), Buffer.from([0, 0, 0x11, 0])]);

describe('readKeptLine()', () => {
  test.each<[string, Parameters<typeof readKeptLine>]>([
    ['an event', ['events', ndjson(rowOf(GUEST))]],
    ['an event that has landed', ['landing', ndjson(rowOf(GUEST))]],
    ['a landed line that is cut off', ['landing', ndjson(rowOf(GUEST)).slice(0, -20)]],
    ['what was set aside', ['unreadable', BODY.slice(0, -1)]],
    ['a refused text', ['rejected', rejectionLine(BODY)]],
    ['refused bytes', ['rejected', rejectionLine(Buffer.from(`${BODY}\0`))]],
    ['UTF-16', ['rejected', rejectionLine(wide(BODY, 2, true))]],
    ['UTF-16, big end first', ['rejected', rejectionLine(wide(BODY, 2, false))]],
    ['UTF-16 with a byte order mark', ['rejected', rejectionLine(wide(`\ufeff${BODY}`, 2, true))]],
    ['UTF-16, big end first, with one', ['rejected', rejectionLine(wide(`\ufeff${BODY}`, 2, false))]],
    ['UTF-32', ['rejected', rejectionLine(wide(BODY, 4, true))]],
    ['UTF-32, big end first', ['rejected', rejectionLine(wide(BODY, 4, false))]],
    ['UTF-32 with a byte order mark', ['rejected', rejectionLine(wide(`\ufeff${BODY}`, 4, true))]],
    ['UTF-32 with what is no character', ['rejected', rejectionLine(NO_CHARACTER)]],
    ['Latin-1', ['rejected', rejectionLine(Buffer.from(BODY, 'latin1'))]],
    ['gzip', ['rejected', rejectionLine(gzipSync(BODY), { content_encoding: 'gzip' })]],
    ['gzip that does not say so', ['rejected', rejectionLine(gzipSync(BODY))]],
    ['gzip in a second member', ['rejected', rejectionLine(Buffer.concat([gzipSync('[{}]'), gzipSync(BODY)]))]],
    [
      'gzip that is cut off',
      ['rejected', rejectionLine(gzipSync(BODY + crypto.randomUUID().repeat(9)).subarray(0, -20))],
    ],
    ['deflate', ['rejected', rejectionLine(deflateSync(BODY), { content_encoding: 'deflate' })]],
    ['raw deflate', ['rejected', rejectionLine(deflateRawSync(BODY), { content_encoding: 'deflate' })]],
    ['a message of text', ['dead-letter', buried(BODY)]],
    ['a message of bytes', ['dead-letter', buried(Buffer.from(BODY).toString('base64'), 'base64')]],
    ['a message of JSON', ['dead-letter', buried(BODY, 'json')]],
    ['a message that is a row', ['dead-letter', buried(ndjson(rowOf(GUEST)))]],
    ['a message that is a refused body', ['dead-letter', buried(rejectionLine(Buffer.from(BODY)))]],
  ])('finds the guest in %s', async (_, [place, line]) => {
    const { found, isCut } = await readKeptLine(place, line);
    for (const said of SAID) expect([said, finds(said, found)]).toEqual([said, true]);
    expect(isCut).toBe(false);
  });

  test.each([
    '{"rejection_id":"x","body":"!!!","body_encoding":"base64"}',
    '{"message_id":"x","body":"!!!","body_encoding":"base64"}',
    '{"rejection_id":"x","body":"H4sI","body_encoding":"base64"}',
    '{"rejection_id":"019e3b9d-9d90-7c3e-9a54-2b6f0c81d7e5","body":1}',
    '{"event_id":"x","integration_id":1,"extra":"{"}',
    '{"__proto__":{"a":1},"extra":[]}',
    '\ud800',
    '',
    '[',
    'null',
    '"x"',
    '1e999',
    '{"event_id":',
    'H4sIAAAAAAAAAw==',
  ])('reads %j from a sender in every place, and finds who stands beside it', async (body) => {
    const beside = `${body} amelie.novak@example.com`;
    for (const line of [rejectionLine(body), rejectionLine(Buffer.from(body)), body, beside]) {
      for (const place of ['events', 'landing', 'rejected', 'dead-letter', 'unreadable'] as const) {
        const { found } = await readKeptLine(place, line);
        expect([line, finds({ emails: ['amelie.novak@example.com'] }, found)]).toEqual([line, line === beside]);
      }
    }
  });

  test('unpacks no more than a batch may have, and says so', async () => {
    const bomb = gzipSync(`${'0'.repeat(8_000_000)} amelie.novak@example.com`);
    expect(bomb.length).toBeLessThan(10_000);
    const { found, isCut } = await readKeptLine('rejected', rejectionLine(bomb));
    expect(isCut).toBe(true);
    expect(finds({ emails: ['amelie.novak@example.com'] }, found)).toBe(false);
  });

  test('looks into the idempotency key of a refused body', async () => {
    const { found } = await readKeptLine(
      'rejected',
      rejectionLine('{}', { idempotency_key: 'amelie.novak@example.com' }),
    );
    expect(finds({ emails: ['amelie.novak@example.com'] }, found)).toBe(true);
  });

  test('tells ids of a hotel from those of which the hotel is not known', async () => {
    const of = async (body: object) => (await readKeptLine('rejected', rejectionLine(JSON.stringify(body)))).found;
    const said = { ...NOBODY, ...HOTEL, customerIds: ['17'] };
    const here = await of({ IntegrationId: 'int-1', PropertyId: 'hotel-1', CustomerId: '17' });
    const unknown = await of({ IntegrationId: 'int-1', CustomerId: '17' });
    const elsewhere = await of({ IntegrationId: 'int-1', PropertyId: 'hotel-2', CustomerId: '17' });
    expect([here, unknown, elsewhere].map((found) => finds(said, found))).toEqual([true, false, false]);
    const vague = idsOfUnknownHotels(said);
    expect([here, unknown, elsewhere].map((found) => !found.isDisjointFrom(vague))).toEqual([false, true, false]);
  });
});

describe('keptBodyOf()', () => {
  const line = rejectionLine('{"a":1}');
  const faked = '{"rejection_id":"x","message_id":"x","body":"e30=","body_encoding":"base64"}';

  test('takes a record of the service for one, where the service writes such', () => {
    expect(keptBodyOf('rejected', line)?.body).toBe('{"a":1}');
    expect(keptBodyOf('dead-letter', buried('x'))?.body).toBe('x');
  });

  test.each([
    ['rejected', faked],
    ['rejected', buried('x')],
    ['dead-letter', faked],
    ['dead-letter', line],
    ['unreadable', line],
    ['landing', line],
    ['events', line],
  ] as const)('takes nothing else in %s for one: %s', (place, other) => {
    expect(keptBodyOf(place, other)).toBeUndefined();
  });
});

describe('identifiersIn()', () => {
  test.each([
    ['JSON', BODY],
    ['JSON in ASCII', IN_ASCII],
    ['JSON that is cut off', `${BODY.slice(0, -1)},"x":`],
    ['JSON with escapes that is cut off', `${IN_ASCII.replace('cust-', 'cust\\u002d').slice(0, -1)},"x":`],
    ['JSON with a comma too many', BODY.replace('}', ',}')],
    ['a list in an envelope', `{"data":{"events":[{"x":1},${BODY}]}}`],
    ['JSON in a text', JSON.stringify({ payload: BODY })],
    ['JSON in a text in a text', JSON.stringify({ payload: JSON.stringify({ event: BODY }) })],
    ['JSON in a text, escaped', JSON.stringify({ payload: IN_ASCII.replace('@', '\\u0040') })],
    ['JSON in Base64', Buffer.from(BODY).toString('base64')],
    ['JSON in Base64 in JSON', JSON.stringify({ data: Buffer.from(BODY).toString('base64') })],
    ['lines of JSON', `{"Email":"someone@example.com"}\n${BODY}\n`],
    ['names that come twice', BODY.replace('}', ',"CustomerId":"1","Email":"","Phone":"","BirthDate":""}')],
    ['a form', String(new URLSearchParams(GUEST))],
    ['a form with JSON in it', String(new URLSearchParams({ id: '1', payload: BODY }))],
    ['a form of one field', String(new URLSearchParams({ payload: BODY }))],
    ['JSON behind a name', `payload=${BODY}`],
    [
      'XML',
      '<r><CustomerId>cust-20733</CustomerId><FirstName>Am&#233;lie</FirstName><LastName>Novák</LastName><BirthDate>1987-11-02</BirthDate><Email>amelie.novak&#64;example.com</Email><Phone type="m">602 123 456</Phone></r>',
    ],
    [
      'single quotes',
      "{'CustomerId': 'cust-20733', 'FirstName': 'Amélie', 'LastName': 'Novák', 'BirthDate': '1987-11-02', 'Email': 'amelie.novak@example.com', 'Phone': '+420602123456'}",
    ],
  ])('finds a guest in %s', (_, body) => {
    const { found, isCut } = identifiersIn(body);
    for (const said of SAID) expect([said, finds(said, found)]).toEqual([said, true]);
    const ids = idsOfUnknownHotels({ ...NOBODY, ...HOTEL, customerIds: ['cust-20733'] });
    expect(found.isDisjointFrom(ids)).toBe(false);
    expect(isCut).toBe(false);
  });

  test('takes the digits of a long number as they were written', () => {
    const ids = idsOfUnknownHotels({ ...NOBODY, ...HOTEL, customerIds: ['12345678901234567890'] });
    expect(identifiersIn('{"CustomerId":12345678901234567890}').found.isDisjointFrom(ids)).toBe(false);
  });

  test.each(['42.0', '4.2e1'])('reads an id that a refused body writes as %s like an accepted event', (written) => {
    const ids = idsOfUnknownHotels({ ...NOBODY, ...HOTEL, customerIds: ['42'] });
    expect(identifiersIn(`{"CustomerId":${written}}`).found.isDisjointFrom(ids)).toBe(false);
  });

  test('reads a telephone number that a refused body writes as a fraction', () => {
    const { found } = identifiersIn('{"Phone":420602123456.0}');
    expect(finds({ phones: ['+420 602 123 456'] }, found)).toBe(true);
  });

  test('finds an id, an address and a number in text without names', () => {
    const { found } = identifiersIn('2026-11-28,cust-20733,amelie.novak@example.com,+420 602 123 456');
    for (const said of SAID.slice(0, 2)) expect(finds(said, found)).toBe(true);
    const ids = idsOfUnknownHotels({ ...NOBODY, ...HOTEL, customerIds: ['cust-20733'] });
    expect(found.isDisjointFrom(ids)).toBe(false);
  });

  test('takes no number in a comment of a body that is JSON for an id', () => {
    expect([...identifiersIn('{"Note":"room 20733"}').found]).toEqual([]);
  });

  test('takes a blank for no id', () => {
    expect([...identifiersIn('{"CustomerId":"  "}').found]).toEqual([]);
  });

  test('does not take a count for an id', () => {
    const ids = idsOfUnknownHotels({ ...NOBODY, ...HOTEL, customerIds: ['2'], reservationIds: ['2'] });
    expect(identifiersIn('{"AdultCounts":2,').found.isDisjointFrom(ids)).toBe(true);
  });

  // A megabyte each: what grows with the square of its length would take longer than any test may.
  test.each([
    ['at signs', '@'],
    ['short addresses', 'a@'],
    ['letters and an at sign', 'a', `@ `],
    ['digits', '1', '"', '{"Phone":"+'],
    ['brackets', '['],
    ['names', '"FirstName":"a","firstname":"b","LASTNAME":"c","BirthDate":"1987-11-02",'],
    ['blanks', ' ', '', 'abc'],
    ['quotes', 'abc="'],
    ['backslashes', '\\'],
    ['colons', 'abc:'],
    ['elements', '<abc>'],
    ['ampersands', '&#'],
    ['percent signs', '%4'],
    ['a form', 'a=b&'],
    ['plus signs', '+ '],
    ['zeros', '00 '],
    ['letters of Base64', 'eyJ'],
    ['dots', '.', '@x'],
    ['ligatures', '\ufdfa'],
  ])('reads a megabyte of %s', (_, piece, end = '', start = '') => {
    const { found } = identifiersIn(start + piece.repeat(1_000_000 / piece.length) + end);
    expect(found.size).toBeLessThan(20_000);
  });
});
