import { describe, expect, test } from 'vitest';
import { normalise } from '../../src/contract/normalise.ts';
import { problemOf } from '../../src/intake/problem.ts';
import { readPayload } from '../../src/intake/read-payload.ts';
import { FULL_EVENT, SMALL_EVENT } from '../sample.ts';

function problemWith(payload: object) {
  const result = normalise({ ...payload });
  if (result.ok) throw new Error('The event is accepted');
  return problemOf({ reason: 'invalid_event', breach: result.error });
}

describe('problemOf()', () => {
  test.each([
    [{ data: FULL_EVENT }, 'one level down; send the inner object'],
    [{ data: { attributes: FULL_EVENT } }, 'several levels down; send the innermost object'],
    [{ data: [FULL_EVENT] }, 'in a list inside of the body; send one event a request'],
    [
      { data: JSON.stringify(FULL_EVENT) },
      'in a string inside of the body; send the inner object as the body, encoded as JSON once',
    ],
  ])('says of a body in an envelope where the fields are, and not that its names are unknown', (payload, where) => {
    const problem = problemWith(payload);
    expect(problem.detail).toContain(where);
    expect(problem).not.toHaveProperty('unknown_fields');
  });

  test('names unknown names where a required one is missing', () => {
    const { StartUtc, ...others } = SMALL_EVENT;
    const { unknown_fields, detail } = problemWith({ ...others, Arrival: StartUtc, 'a@b.example': 1 });
    expect(unknown_fields).toEqual(['Arrival']);
    expect(detail).toContain('and 1 more');
  });

  test.each([
    ['{{start}}', 'placeholder'],
    ['tomorrow', 'in ISO 8601, such as 2026-05-01T13:00:00Z; what was sent is written in another way'],
    [1_783_692_000, 'a number'],
    ['1783692000', 'a number'],
    [['2026-07-10T14:00:00Z'], 'another way'],
    ['14:00:00Z', 'the date is missing'],
    ['2026-07-10', 'the time is missing'],
    ['2026-02-30T14:00:00Z', 'no such day'],
    ['2026-07-10T24:00:00Z', 'hours end at 23'],
    ['2026-07-10T14:00:00+25:00', 'no zone'],
    ['2026-07-10T14:00:00[Europe/Prague]', 'needs its offset'],
    ['1753-01-01T00:00:00Z', 'the year'],
  ])('says what is wrong with the time %j', (StartUtc, cause) => {
    const { errors } = problemWith({ ...SMALL_EVENT, StartUtc });
    expect(errors).toMatchObject([
      { field: 'StartUtc', code: 'not_a_timestamp', detail: expect.stringContaining(cause) },
    ]);
  });

  test.each([
    ['{"IntegrationId":"int-48",', 'ends before the object does'],
    ["{'IntegrationId':'int-48',}", 'double quotes only'],
    ['{IntegrationId: "x"}', 'needs double quotes'],
    ['{"a":NaN}', 'NaN and Infinity'],
    ['{"a":"a\nb"}', 'control character'],
    ['{"a":"C:\\Users"}', 'backslash'],
    ['{"a":1 /* one */}', 'no comments'],
    ['{"a":1,}', 'comma too many'],
    ['{"a":1,\n "b":}', 'line 2, column 6'],
    ['{"a":1 "b":2}', 'comma is missing'],
    ['{"a" 1}', 'colon is missing'],
    ['{"a":None}', 'true, false or null'],
    ['{"a":0304}', 'leading zeros'],
    ['{"a":{{id}}}', 'template'],
    ['<?xml version="1.0"?><event/>', 'XML'],
    ['{"a":1}\n{"a":2}\n', '/batch'],
    ['[{}, {}]', '/batch'],
    ['"{}"', 'encoded as JSON once'],
    ['42', 'a number; send one object'],
    ['true', 'a boolean; send one object'],
    ['null', 'null; send one object'],
    ['{\0}\0', 'UTF-16'],
  ])('says what is wrong with the body %j', (text, cause) => {
    const payload = readPayload(new TextEncoder().encode(text), () => 'application/json');
    if (payload.ok) throw new Error('The body is one JSON object');
    expect(problemOf(payload.error)).toMatchObject({ slug: 'malformed-body', detail: expect.stringContaining(cause) });
  });
});
