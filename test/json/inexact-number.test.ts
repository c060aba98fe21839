import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isExact, mayHoldInexactNumber } from '../../src/json/inexact-number.ts';

describe('isExact()', () => {
  test.each(['0', '-0', '0.0', '1.50', '1e2', '100', '0.1', '9007199254740991', '1e21', '5E-3', '123456789012345e-20'])(
    'holds for %s',
    (source) => {
      expect(isExact(source, Number(source))).toBe(true);
    },
  );

  test.each([
    '9007199254740993',
    '12345678901234567890',
    '0.12345678901234567890',
    '1e400',
    '-1e400',
    '1e-400',
    '1e99999999999',
    '1000000000000000000000',
  ])('does not hold for %s', (source) => {
    expect(isExact(source, Number(source))).toBe(false);
  });

  test('takes time in proportion to the digits', () => {
    // With the square of them, this would take longer than the test may.
    const source = `1${'0'.repeat(150_000)}1`;
    expect(isExact(`1.${source}`, 1.1)).toBe(false);
  });
});

describe('mayHoldInexactNumber()', () => {
  test('never misses a number that is not exact', () => {
    const digits = fc.stringMatching(/^-?(0|[1-9]\d{0,24})(\.\d{1,25})?([eE][+-]?\d{1,4})?$/);
    fc.assert(
      fc.property(digits, fc.nat(20), (source, blanks) => {
        const text = `{"a":${' '.repeat(blanks)}${source}}`;
        if (!isExact(source, Number(source))) expect(mayHoldInexactNumber(text)).toBe(true);
      }),
      { numRuns: 5_000 },
    );
  });

  test.each(['0123456789.01234', '1e100', '1E-100'])('finds %s wherever it stands', (source) => {
    const texts = Array.from({ length: 40 }, (_, at) => `${'x'.repeat(at)}${source}${'x'.repeat(20)}`);
    expect(texts.filter((text) => !mayHoldInexactNumber(text))).toEqual([]);
  });

  test('lets a run pass that is too short by one, wherever it stands', () => {
    const texts = Array.from({ length: 40 }, (_, at) => `${'x'.repeat(at)}123456789012345${'x'.repeat(20)}`);
    expect(texts.filter(mayHoldInexactNumber)).toEqual([]);
  });

  test('lets an ordinary event pass', () => {
    expect(mayHoldInexactNumber('{"Phone":420555010199,"StartUtc":"2026-05-01T13:00:00.000+02:00","n":1.5}')).toBe(
      false,
    );
  });
});
