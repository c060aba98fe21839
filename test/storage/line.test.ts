import { describe, expect, test } from 'vitest';
import { isLine, isLongerThan, ndjson, parseRow, recordIdOf } from '../../src/storage/line.ts';

const ID = '01a21ef9-f32d-7279-bda2-96945fb413af';
const LINE = ndjson({ event_id: ID, staff_comment: 'a' });

describe('ndjson()', () => {
  test('ends in a newline and escapes every other line break', () => {
    expect(ndjson({ a: 'x\u0085\u2028\u2029\n\ry' })).toBe('{"a":"x\\u0085\\u2028\\u2029\\n\\ry"}\n');
  });
});

describe('parseRow()', () => {
  test('shows nothing of a line that it cannot read but the identifier', () => {
    const spoilt = LINE.replace('"a"', '"Amelie",');
    expect(() => parseRow(spoilt)).toThrow(`Cannot read the row of event ${ID}: it is not a JSON object;`);
    expect(() => parseRow('Amelie')).toThrow('Cannot read a row without an event_id: it is not a JSON object;');
    expect(() => parseRow('"Amelie"')).toThrow('Cannot read a row without an event_id: it is not a JSON object;');
  });
});

describe('isLine()', () => {
  test('knows a line, and its event_id', () => {
    if (!isLine(LINE)) throw new Error('not a line');
    expect(recordIdOf(LINE)).toBe(ID);
  });

  test.each([
    undefined,
    null,
    {},
    { event_id: ID },
    '',
    '\n',
    '{}\n',
    LINE.trimEnd(),
    `${LINE}\n`,
    LINE + LINE,
    ` ${LINE}`,
    `\ufeff${LINE}`,
    LINE.replace('-7279-', '-4279-'),
    LINE.replace('01a21ef9-', 'f1a21ef9-'),
    LINE.replace('event_id', 'id'),
    LINE.replace('"a"', '"\u2028"'),
    `{"event_id":"${ID}"}\n`,
  ])('refuses %j', (message) => {
    expect(isLine(message)).toBe(false);
  });
});

test.each(['a', 'é', '€', '🏨'])('isLongerThan() counts the UTF-8 bytes of %s', (char) => {
  const text = char.repeat(100);
  const { byteLength } = new TextEncoder().encode(text);
  expect([byteLength - 1, byteLength].map((limit) => isLongerThan(text, limit))).toEqual([true, false]);
});
