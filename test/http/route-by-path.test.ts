import { describe, expect, test } from 'vitest';
import { byPath, pathOf } from '../../src/http/route-by-path.ts';

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

describe('byPath()', () => {
  test('hides the query from the router, and hands the request on as it is', () => {
    const request = new Request('https://intake.example/a/b?c=d&c=e', { method: 'POST' });
    expect(byPath(request)).toEqual({ method: 'POST', url: 'https://intake.example/a/b', proxy: request });
  });
});
