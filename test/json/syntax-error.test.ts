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
    ['{not json', 1],
    ["{'IntegrationId':'x',}", 1],
    ['{"a":1,}', 7],
    ['{"a":NaN}', 5],
    ['{"a":01}', 6],
    ['{"a" 1}', 5],
    ['{"a":1 "b":2}', 7],
    ['[1,]', 3],
    ['[1}', 2],
    ['{"a":1]', 6],
    ['{"a":1}\n{"b":2}', 8],
    ['{"a":"x\ny"}', 5],
    ['{"a":"\\x"}', 5],
    ['{"a":1', 6],
    ['{"a":"x', 5],
    ['', 0],
    ['  ', 2],
    [':', 0],
    ['{"a":+1}', 5],
    ['// note\n{}', 0],
  ])('finds where %j breaks off', (text, offset) => {
    expect(locateSyntaxError(text)).toBe(offset);
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
        const offset = locateSyntaxError(`${json.slice(0, at)}\f${json.slice(at)}`);
        expect(offset).toBeDefined();
        expect(offset).toBeLessThanOrEqual(at);
      }),
    );
  });

  test('takes the deepest nesting without recursion', () => {
    expect(locateSyntaxError('['.repeat(65_536))).toBe(65_536);
  });

  test('takes the longest string', () => {
    expect(locateSyntaxError(`"${'é'.repeat(65_000)}`)).toBe(0);
    expect(locateSyntaxError(`"${'é'.repeat(65_000)}"`)).toBeUndefined();
  });
});
