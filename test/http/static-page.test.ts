import { describe, expect, test } from 'vitest';
import { staticPage } from '../../src/http/static-page.ts';

/** Asks for a page where the files are read in this way. */
const ask = (fetch: () => Promise<Response>) =>
  staticPage(new Request('https://intake.example/openapi.json'), { PAGES: { fetch } as unknown as Fetcher });

describe('staticPage()', () => {
  test('passes on what is there, and leaves what is not to others', async () => {
    const found = new Response('{}');
    expect(await ask(async () => found)).toBe(found);
    expect(await ask(async () => new Response(null, { status: 404 }))).toBeUndefined();
    expect(await staticPage(new Request('https://intake.example/openapi.json'), {})).toBeUndefined();
  });

  test('says when to come back when the files cannot be read', async () => {
    const response = await ask(() => Promise.reject(new Error('out of order')));
    expect(response?.status).toBe(503);
    expect(response?.headers.get('Retry-After')).toBe('30');
    expect(await response?.text()).toContain('try again');
  });
});
