import { describe, expect, test } from 'vitest';
import { jsonText, loadableText } from '../../src/json/loadable-text.ts';

describe('loadableText()', () => {
  test.each([
    ['plain', 'plain'],
    ['cut \ud83d', 'cut \ufffd'],
    ['\ude00 cut', '\ufffd cut'],
    ['whole \ud83d\ude00', 'whole \ud83d\ude00'],
    ['nul\0', 'nul\ufffd'],
  ])('turns %j into %j', (text, loadable) => {
    expect(loadableText(text)).toBe(loadable);
  });
});

describe('jsonText()', () => {
  test.each([
    [{ a: 'x\ud83d' }, '{"a":"x\ufffd"}'],
    [{ a: ['\0'] }, '{"a":["\ufffd"]}'],
    [{ 'k\udc00\0': 1 }, '{"k\ufffd\ufffd":1}'],
    // A backslash that is text, before something that looks like an escape.
    [{ a: '\\u0000' }, '{"a":"\\\\u0000"}'],
    [{ a: '\\\0' }, '{"a":"\\\\\ufffd"}'],
    [{ a: '\\\\ud800' }, '{"a":"\\\\\\\\ud800"}'],
    [{ a: '\u0001\n"' }, '{"a":"\\u0001\\n\\""}'],
  ])('writes %j', (value, text) => {
    expect(jsonText(value)).toBe(text);
  });
});
