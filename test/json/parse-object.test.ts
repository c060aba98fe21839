import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { InexactNumber } from '../../src/json/inexact-number.ts';
import { parseObject } from '../../src/json/parse-object.ts';
import { MAX_DEPTH, TooDeep } from '../../src/json/parse-plainly.ts';

describe('parseObject()', () => {
  test('parses one object', () => {
    expect(parseObject(' {"a":1,"b":{"c":[null,"x"]}} ')).toEqual({
      ok: true,
      value: { members: { a: 1, b: { c: [null, 'x'] } }, repeated: [] },
    });
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
    ['{"a":\n  1,}', { reason: 'malformed', fault: 'comma_too_many', offset: 10, line: 2, column: 5 }],
    ['{"a":1}\n{"a":2}\n', { reason: 'malformed', fault: 'text_after_the_end', offset: 8, line: 2, column: 1 }],
  ])('refuses %j', (text, error) => {
    expect(parseObject(text)).toEqual({ ok: false, error });
  });

  test('keeps a field named __proto__ as a field', () => {
    const parsed = parseObject('{"__proto__":{"polluted":true}}');
    expect(parsed.ok && Object.keys(parsed.value.members)).toEqual(['__proto__']);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  test.each([MAX_DEPTH + 1, 30_000])(
    'keeps a member that nests %d levels as text, and the others as they are',
    (levels) => {
      const deep = `${'['.repeat(levels)}1e400${']'.repeat(levels)}`;
      const parsed = parseObject(`{"b":{"c":1e400}, "a" : ${deep} ,"d":"x"}`);
      expect(parsed).toEqual({
        ok: true,
        value: { members: { b: { c: new InexactNumber('1e400') }, a: new TooDeep(deep), d: 'x' }, repeated: [] },
      });
    },
  );

  test.each(['before', 'behind'])('keeps as text what nests too deep %s something shallow', (where) => {
    const levels = `${'['.repeat(MAX_DEPTH)}${']'.repeat(MAX_DEPTH)}`;
    const deep = where === 'before' ? `[${levels},[1]]` : `[[1],${levels}]`;
    expect(parseObject(`{"a":${deep}}`)).toEqual({
      ok: true,
      value: { members: { a: new TooDeep(deep) }, repeated: [] },
    });
  });

  test.each([
    ['{"a":1,"b":2,"a":3}', { a: 3, b: 2 }, ['a']],
    ['{"a":1,"\\u0061" : 3}', { a: 3 }, ['a']],
    [
      '{"a":{"x":1,"y":{"x":2}},"b":[{"x":1},{"x":1,"x":2}]}',
      { a: { x: 1, y: { x: 2 } }, b: [{ x: 1 }, { x: 2 }] },
      ['b'],
    ],
    [`{"a":1,"a":${'['.repeat(70)}${']'.repeat(70)},"a":2}`, { a: 2 }, ['a', 'a']],
    // Quotation marks before colons that are no names.
    ['{"a":":","b":"\\":\\"","c":["x",":"]}', { a: ':', b: '":"', c: ['x', ':'] }, []],
    ['{"a":":","a":1}', { a: 1 }, ['a']],
  ])('knows the names that repeat in %j', (text, members, repeated) => {
    expect(parseObject(text)).toEqual({ ok: true, value: { members, repeated } });
  });

  test('never misses a name that repeats', () => {
    const names = fc.array(fc.constantFrom('a', 'b:', '":', '\\', ':', 'c"', ' '), { minLength: 1, maxLength: 6 });
    const values = fc.oneof(fc.string(), fc.constantFrom('":', '\\":', ': ', '"'));
    fc.assert(
      fc.property(names, fc.infiniteStream(values), fc.constantFrom('', ' ', '\n\t'), (list, next, blank) => {
        const text = list
          .map((name) => `${JSON.stringify(name)}${blank}:${blank}${JSON.stringify(next.next().value)}`)
          .join(',');
        const parsed = parseObject(`{${text}}`);
        expect(parsed.ok && parsed.value.repeated).toEqual(list.filter((name, at) => list.indexOf(name) < at));
      }),
      { numRuns: 2_000 },
    );
  });
});
