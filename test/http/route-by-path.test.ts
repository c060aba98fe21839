import { describe, expect, test } from 'vitest';
import { byPath } from '../../src/http/route-by-path.ts';

describe('byPath()', () => {
  test.each([
    ['https://intake.example/a/b?c=d&c=e', 'https://intake.example/a/b'],
    ['https://intake.example/?/a?b', 'https://intake.example/'],
    ['https://intake.example/a/b', 'https://intake.example/a/b'],
  ])('leaves the query of %s out, and keeps the request', (url, path) => {
    const request = new Request(url, { method: 'PUT' });
    expect(byPath(request)).toEqual({ method: 'PUT', url: path, proxy: request });
  });
});
