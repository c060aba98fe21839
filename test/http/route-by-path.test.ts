import { describe, expect, test } from 'vitest';
import { pathOf } from '../../src/http/route-by-path.ts';

describe('pathOf()', () => {
  test.each([
    ['https://intake.example/a/b?c=d&c=e', '/a/b'],
    ['https://intake.example/?/a?b', ''],
    ['https://intake.example/a/b', '/a/b'],
    ['https://intake.example/a/b/', '/a/b'],
    ['https://intake.example/a/b//?c=/', '/a/b'],
    ['https://intake.example//a', '//a'],
    ['https://intake.example/', ''],
  ])('of %s is %j', (url, path) => {
    expect(pathOf(url)).toBe(path);
  });
});
