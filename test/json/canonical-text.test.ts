import { describe, expect, test } from 'vitest';
import { canonicalText } from '../../src/json/canonical-text.ts';
import { InexactNumber } from '../../src/json/inexact-number.ts';
import { TooDeep } from '../../src/json/parse-plainly.ts';

describe('canonicalText()', () => {
  test.each([
    [{ b: 1, a: { d: [], c: null } }, '{"a":{"c":null,"d":[]},"b":1}'],
    [{ list: [{ b: 1, a: 2 }, 'x', 1.5] }, '{"list":[{"a":2,"b":1},"x",1.5]}'],
    [{ n: new InexactNumber('1.00000000000000000001') }, '{"n":1.00000000000000000001}'],
    [JSON.parse('{"b":0,"__proto__":{"a":1}}'), '{"__proto__":{"a":1},"b":0}'],
  ])('writes the members of every object in one order: %j', (value, text) => {
    expect(canonicalText(value)).toEqual({ text, replaced: false, cutOff: false });
  });

  test('writes what nests too deep as text, and says so', () => {
    expect(canonicalText({ a: new TooDeep('[["x"]]') })).toEqual({
      text: '{"a":"[[\\"x\\"]]"}',
      replaced: false,
      cutOff: true,
    });
  });

  test.each([
    [{ a: ['x\ud83d'] }, '{"a":["x\ufffd"]}'],
    [{ 'k\0': 1 }, '{"k\ufffd":1}'],
    [{ 'k\0': 1, 'k\ufffd': 2 }, '{"k\ufffd":2,"k\ufffd#2":1}'],
    [{ 'k\0': 1, 'k\ud800': 2, 'k\ufffd#2': 3 }, '{"k\ufffd#2":3,"k\ufffd":1,"k\ufffd#3":2}'],
    [{ 'k\ufffd': 2, 'k\0': 1 }, '{"k\ufffd":2,"k\ufffd#2":1}'],
  ])('replaces what readers cannot load, keeps every member, and says so: %j', (value, text) => {
    expect(canonicalText(value)).toEqual({ text, replaced: true, cutOff: false });
  });
});
