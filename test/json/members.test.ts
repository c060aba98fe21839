import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { elementsOf } from '../../src/json/members.ts';

describe('elementsOf()', () => {
  test.each([
    ['[]', []],
    [' [ ] ', []],
    ['[1]', ['1']],
    ['[ {"a":[1,2]} ,\n{"b":"],["} ]', ['{"a":[1,2]}', '{"b":"],["}']],
    ['[[],[[]],{}]', ['[]', '[[]]', '{}']],
    ['[12345678901234567890.0, "\\"", null]', ['12345678901234567890.0', '"\\""', 'null']],
  ])('splits %j', (text, elements) => {
    expect(elementsOf(text)).toEqual(elements);
  });

  test('gives back every element of any array', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), fc.nat(3), (values, space) => {
        const text = JSON.stringify(values, null, space);
        expect(elementsOf(text).map((element) => JSON.parse(element))).toEqual(JSON.parse(text));
      }),
    );
  });
});
