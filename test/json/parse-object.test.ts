import { describe, expect, test } from 'vitest';
import { InexactNumber } from '../../src/json/inexact-number.ts';
import { MAX_DEPTH, parseObject } from '../../src/json/parse-object.ts';

describe('parseObject()', () => {
  test('parses one object', () => {
    expect(parseObject(' {"a":1,"b":{"c":[null,"x"]}} ')).toEqual({ ok: true, value: { a: 1, b: { c: [null, 'x'] } } });
  });

  test.each([
    ['', { reason: 'empty' }],
    [' \n\t', { reason: 'empty' }],
    ['42', { reason: 'not_an_object', found: 'number' }],
    ['"{}"', { reason: 'not_an_object', found: 'string' }],
    ['true', { reason: 'not_an_object', found: 'boolean' }],
    ['null', { reason: 'not_an_object', found: 'null' }],
    ['[]', { reason: 'not_an_object', found: 'array' }],
    ['[{}]', { reason: 'not_an_object', found: 'array' }],
    ['{"a":\n  1,}', { reason: 'malformed', offset: 10, line: 2, column: 5 }],
    ['{"a":1}\n{"a":2}\n', { reason: 'malformed', offset: 8, line: 2, column: 1 }],
  ])('refuses %j', (text, error) => {
    expect(parseObject(text)).toEqual({ ok: false, error });
  });

  test('keeps the digits of numbers that a double cannot hold, however deep', () => {
    const parsed = parseObject('{"a":12345678901234567890,"b":[{"c":1e400}],"d":1.5}');
    expect(parsed).toEqual({
      ok: true,
      value: { a: new InexactNumber('12345678901234567890'), b: [{ c: new InexactNumber('1e400') }], d: 1.5 },
    });
  });

  test('keeps a field named __proto__ as a field', () => {
    const parsed = parseObject('{"__proto__":{"polluted":true}}');
    expect(parsed.ok && Object.keys(parsed.value)).toEqual(['__proto__']);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  test('bounds the nesting', () => {
    const nested = (levels: number) => `{"a":${'['.repeat(levels)}1e400${']'.repeat(levels)}}`;
    expect(parseObject(nested(MAX_DEPTH)).ok).toBe(true);
    expect(parseObject(nested(MAX_DEPTH + 1))).toEqual({ ok: false, error: { reason: 'too_deep', limit: MAX_DEPTH } });
    expect(parseObject(nested(30_000))).toEqual({ ok: false, error: { reason: 'too_deep', limit: MAX_DEPTH } });
  });
});
