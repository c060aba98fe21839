import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { locateSyntaxError } from '../../src/json/syntax-error.ts';

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe('locateSyntaxError()', () => {
  test.each([
    ['{not json', 1, 'unquoted_name'],
    ['{1:2}', 1, 'unquoted_name'],
    ['{"a":1,b:2}', 7, 'unquoted_name'],
    ["{'IntegrationId':'x',}", 1, 'wrong_quotes'],
    ['{“a”:1}', 1, 'wrong_quotes'],
    ['{"a":\'x\'}', 5, 'wrong_quotes'],
    ['{"a":1,}', 7, 'comma_too_many'],
    ['[1,]', 3, 'comma_too_many'],
    ['{"a":1,,"b":2}', 7, 'comma_too_many'],
    ['{,"a":1}', 1, 'comma_too_many'],
    ['{"a":NaN}', 5, 'not_a_number'],
    ['{"a":-Infinity}', 5, 'not_a_number'],
    ['{"a":01}', 6, 'bad_number'],
    ['{"a":+1}', 5, 'bad_number'],
    ['{"a":.5}', 5, 'bad_number'],
    ['{"a":1.}', 6, 'bad_number'],
    ['{"a":0x1F}', 6, 'bad_number'],
    ['{"a":-}', 5, 'bad_number'],
    ['{"a":None}', 5, 'unknown_word'],
    ['{"a":nullx}', 9, 'unknown_word'],
    ['{"a":Zoë}', 5, 'unknown_word'],
    ['{"a" 1}', 5, 'colon_missing'],
    ['{"a"}', 4, 'colon_missing'],
    ['{"a":1 "b":2}', 7, 'comma_missing'],
    ['{"a":"x""b":2}', 8, 'comma_missing'],
    ['[1}', 2, 'unexpected'],
    ['{"a":1]', 6, 'unexpected'],
    [':', 0, 'unexpected'],
    ['{"a":;}', 5, 'unexpected'],
    ['{"a":1}\n{"b":2}', 8, 'text_after_the_end'],
    ['{"a":1}}', 7, 'text_after_the_end'],
    ['{"a":"x\ny"}', 7, 'control_character'],
    ['{"a":"x\ty"}', 7, 'control_character'],
    ['{"a\u0000":1}', 3, 'control_character'],
    ['{"a":"x}\n', 8, 'control_character'],
    ['{"a":"\\x"}', 6, 'bad_escape'],
    ['{"a":"C:\\temp\\new\\user"}', 17, 'bad_escape'],
    ['{"a":"\\u12G4"}', 6, 'bad_escape'],
    ['{"a":1', 6, 'ends_too_early'],
    ['{"a":"x', 7, 'ends_too_early'],
    ['{"a":"x\\', 8, 'ends_too_early'],
    ['{"a":"x\\u12', 11, 'ends_too_early'],
    ['{"a":', 5, 'ends_too_early'],
    ['', 0, 'ends_too_early'],
    ['  ', 2, 'ends_too_early'],
    ['// note\n{}', 0, 'comment'],
    ['{"a":1, /* note */ "b":2}', 8, 'comment'],
    ['{"a":1 # note\n}', 7, 'comment'],
    ['<html></html>', 0, 'markup'],
    ['{{reservation}}', 1, 'template'],
    ['{"a":1,{"b":2}}', 7, 'unexpected'],
    ['{"a":"x y\\x"}', 9, 'bad_escape'],
  ])('finds where and why %j breaks off', (text, offset, fault) => {
    expect(locateSyntaxError(text)).toEqual({ offset, fault });
  });

  test('agrees with JSON.parse on what is JSON', () => {
    const pieces = fc.array(
      fc.constantFrom(
        '{',
        '}',
        '[',
        ']',
        ',',
        ':',
        '"a"',
        '"\\u12"',
        '1',
        '-',
        '01',
        '.5',
        '1e5',
        'true',
        'nul',
        ' ',
        '\t',
        '\f',
      ),
      { maxLength: 8 },
    );
    const texts = fc.oneof(
      fc.json(),
      pieces.map((list) => list.join('')),
      fc.string(),
    );
    fc.assert(
      fc.property(texts, (text) => {
        expect(locateSyntaxError(text) === undefined).toBe(parses(text));
      }),
      { numRuns: 5_000 },
    );
  });

  test('finds the first character that was damaged', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 3 }), fc.nat(), (json, seed) => {
        const at = seed % (json.length + 1);
        // A form feed may stand nowhere in JSON outside of a string, and not inside one either.
        const offset = locateSyntaxError(`${json.slice(0, at)}\f${json.slice(at)}`)?.offset;
        expect(offset).toBeLessThanOrEqual(at);
      }),
    );
  });

  test('takes the deepest nesting without recursion', () => {
    expect(locateSyntaxError('['.repeat(65_536))?.offset).toBe(65_536);
  });

  test('takes the longest string', () => {
    expect(locateSyntaxError(`"${'é'.repeat(65_000)}`)?.offset).toBe(65_001);
    expect(locateSyntaxError(`"${'é'.repeat(65_000)}"`)).toBeUndefined();
  });
});
