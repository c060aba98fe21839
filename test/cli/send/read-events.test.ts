import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readEvents } from '../../../src/cli/send/read-events.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'send-'));
});

afterEach(() => rm(folder, { recursive: true }));

async function read(name: string, text: string | Uint8Array) {
  const file = join(folder, name);
  await writeFile(file, text);
  return Array.fromAsync(readEvents(file));
}

const REQUIRED = 'IntegrationId,PropertyId,EventType,ReservationState,AssignedResourceNumber,StartUtc,EndUtc';
const VALUES = 'i,p,ReservationStarted,Started,0304,2026-06-12T13:00:00Z,2026-06-15T09:00:00Z';
const EVENT = {
  IntegrationId: 'i',
  PropertyId: 'p',
  EventType: 'ReservationStarted',
  ReservationState: 'Started',
  AssignedResourceNumber: '0304',
  StartUtc: '2026-06-12T13:00:00Z',
  EndUtc: '2026-06-15T09:00:00Z',
};

describe('`readEvents()` of NDJSON', () => {
  test('takes lines as they are, right or wrong, and skips blank ones', async () => {
    expect(await read('e.ndjson', '\ufeff{"a":12345678901234567890}\r\n\n  {not json\n{"b":1.50}')).toEqual([
      { line: 1, body: '{"a":12345678901234567890}' },
      { line: 3, body: '{not json' },
      { line: 4, body: '{"b":1.50}' },
    ]);
  });

  test('ends lines at LF alone', async () => {
    const bodies = ['{"a":"one\u2028two"}', '{"a":"three\u2029four\u0085"}'];
    expect(await read('e.ndjson', bodies.join('\r\n'))).toEqual(bodies.map((body, at) => ({ line: at + 1, body })));
  });

  test('puts lines together again that lie in several pieces of the file', async () => {
    const bodies = Array.from({ length: 3 }, (_, at) => JSON.stringify({ at, text: 'ü'.repeat(100_000) }));
    expect((await read('e.ndjson', bodies.join('\n'))).map(({ body }) => body)).toEqual(bodies);
  });
});

test.each([
  ['e.ndjson', '{"a":1}\n{"LastName":"Müller"}\n'],
  ['e.json', '[{"a":1},\n{"LastName":"Müller"}]'],
  ['e.csv', `${REQUIRED},LastName\n${VALUES},Müller\n`],
])('`readEvents()` refuses %s in Latin-1, and names the line', async (name, text) => {
  await expect(read(name, Buffer.from(text, 'latin1'))).rejects.toThrow(/line 2 is not UTF-8; save the file as UTF-8/);
});

test('`readEvents()` refuses UTF-16', async () => {
  await expect(read('e.csv', Buffer.from(`\ufeff${REQUIRED}`, 'utf16le'))).rejects.toThrow(/line 1 is not UTF-8/);
});

describe('`readEvents()` of JSON', () => {
  test.each([
    [
      'an array on one line',
      '[{"a":1},{"b":2}]',
      [
        [1, '{"a":1}'],
        [2, '{"b":2}'],
      ],
    ],
    [
      'an array over several lines',
      '[\n  {\n    "a": 1\n  },\n  { "b": [1, {"c": 2}] }\n]\n',
      [
        [1, '{ "a": 1 }'],
        [2, '{ "b": [1, {"c": 2}] }'],
      ],
    ],
    [
      'digits that a double cannot hold',
      '[{"a":12345678901234567890, "b":1.50}]',
      [[1, '{"a":12345678901234567890, "b":1.50}']],
    ],
    [
      'punctuation in strings',
      '[{"a":"],[{\\"\\\\"},{"b":"}"}]',
      [
        [1, '{"a":"],[{\\"\\\\"}'],
        [2, '{"b":"}"}'],
      ],
    ],
    [
      'values that are no objects',
      '[1, "two", null, []]',
      [
        [1, '1'],
        [2, '"two"'],
        [3, 'null'],
        [4, '[]'],
      ],
    ],
    ['one object', '{\n"a": [1, 2]}', [[1, '{ "a": [1, 2]}']]],
    ['an empty array', ' [ ] ', []],
    ['a byte order mark', '\ufeff[{"a":1}]', [[1, '{"a":1}']]],
  ])('takes %s', async (_, text, expected) => {
    const found = await read('e.json', text);
    expect(found.map(({ line, body }) => [line, body])).toEqual(expected);
  });

  test.each([
    ['[{"a":1},', /Cannot read \S+e\.json: it is not JSON \(.+\); see that it was written to its end/],
    ['', /Cannot read \S+e\.json: it is not JSON/],
    ['7', /Cannot read \S+e\.json: it is neither an array of events nor one event/],
  ])('refuses %s', async (text, message) => {
    await expect(read('e.json', text)).rejects.toThrow(message);
  });
});

test('`readEvents()` asks for NDJSON in place of an array that fits into no string', async () => {
  const file = join(folder, 'large.json');
  await writeFile(file, '[');
  await truncate(file, 600 * 1024 * 1024);
  await expect(Array.fromAsync(readEvents(file))).rejects.toThrow('save it as .ndjson, one event a line');
});

describe('`readEvents()` of CSV', () => {
  test.each([
    ['commas', REQUIRED, VALUES],
    ['semicolons', REQUIRED.replaceAll(',', ';'), VALUES.replaceAll(',', ';')],
    ['tabs', REQUIRED.replaceAll(',', '\t'), VALUES.replaceAll(',', '\t')],
    [
      'names of columns',
      'integration_id,property_id,event_type,reservation_state,assigned_resource_number,start_utc,end_utc',
      VALUES,
    ],
    [
      'names with blanks',
      '"Integration ID",Property Id,Event Type,Reservation State,Assigned Resource Number,Start UTC,End UTC',
      VALUES,
    ],
  ])('takes %s', async (_, header, row) => {
    const [found] = await read('e.csv', `\ufeff${header}\r\n${row}\r\n`);
    expect(found?.line).toBe(2);
    expect(JSON.parse(found?.body ?? '')).toEqual(EVENT);
  });

  test('leaves empty cells out, makes counts numbers, and keeps columns of no known name', async () => {
    const [found] = await read(
      'e.csv',
      `${REQUIRED},AdultCounts,ChildCounts,Email,Phone,Promo\n${VALUES},2,two,,0123,"A, ""B"""\n`,
    );
    expect(JSON.parse(found?.body ?? '')).toEqual({
      ...EVENT,
      AdultCounts: 2,
      ChildCounts: 'two',
      Phone: '0123',
      Promo: 'A, "B"',
    });
  });

  test('names the required fields that have no column', async () => {
    await expect(read('e.csv', 'StartUtc,EndUtc\n1,2\n')).rejects.toThrow(
      /no column for IntegrationId, PropertyId, EventType/,
    );
  });

  test.each([
    ['AdultCounts,adult_counts', 'the columns AdultCounts and adult_counts are both AdultCounts'],
    ['Promo,Email,Promo', 'the columns Promo and Promo are both Promo'],
  ])('refuses the columns %s', async (columns, message) => {
    const cells = columns.replaceAll(/[^,]+/g, '1');
    await expect(read('e.csv', `${REQUIRED},${columns}\n${VALUES},${cells}\n`)).rejects.toThrow(message);
  });

  test('takes the empty columns that spreadsheets write, and keeps what stands in one of them', async () => {
    const [found] = await read('e.csv', `${REQUIRED},,\n${VALUES},,late\n`);
    expect(JSON.parse(found?.body ?? '')).toEqual({ ...EVENT, 'column 9': 'late' });
  });

  test('refuses a file that has not even a header', async () => {
    await expect(read('e.csv', '')).rejects.toThrow(/it has no column for IntegrationId/);
  });

  test('says where a row cannot be read', async () => {
    await expect(read('e.csv', `${REQUIRED}\n${VALUES}\n1,2\n`)).rejects.toThrow(/line 3/);
  });
});

test('`readEvents()` refuses a file of another kind', async () => {
  await expect(read('e.xlsx', '')).rejects.toThrow(/none of \.json, \.ndjson, \.jsonl and \.csv/);
});
