import { expect, test } from 'vitest';
import { membersOf } from '../../../src/site/browser/members.ts';

const linesOf = (text: string) => Object.fromEntries([...membersOf(text)].map(([name, { line }]) => [name, line]));

test.each([
  ['one member a line', '{\n  "a": 1,\n  "b": "x"\n}', { a: 1, b: 2 }],
  ['all on one line', '{"a":1,"b":2}', { a: 0, b: 0 }],
  ['names inside values', '{\n"a": {\n"b": 1\n},\n"c": ["d", {"e": 1}]\n}', { a: 1, c: 4 }],
  ['colons, braces and quotes in strings', '{\n"a": "} \\" : {",\n"b": 1\n}', { a: 1, b: 2 }],
  ['an escaped name', '{\n"\\u0061\\"": 1\n}', { 'a"': 1 }],
  ['a name that comes twice', '{\n"a": 1,\n"a": 2\n}', { a: 2 }],
  ['a text that is not whole', '{\n"a": 1,\n"b', { a: 1 }],
  ['an escape that is none', '{"\\x": 1}', { '\\x': 0 }],
  ['an array', '["a", {"b": 1}]', {}],
  ['nothing', '', {}],
])('`membersOf()` finds %s', (_, text, expected) => {
  expect(linesOf(text)).toEqual(expected);
});

test('`membersOf()` says where a name begins and ends', () => {
  const text = '{ "PropertyId": 7 }';
  const place = membersOf(text).get('PropertyId');
  expect(text.slice(place?.start, place?.end)).toBe('"PropertyId"');
});
