import { describe, expect, test } from 'vitest';
import { staticPage } from '../../src/http/static-page.ts';

const request = () => new Request('https://intake.example/openapi.json');
const pages = (fetch: () => Promise<Response>) => ({ PAGES: { fetch } as unknown as Fetcher });

describe('page()', () => {
  test('passes on what is there, and leaves what is not to others', async () => {
    const found = new Response('{}');
    expect(
      await staticPage(
        request(),
        pages(async () => found),
      ),
    ).toBe(found);
    expect(
      await staticPage(
        request(),
        pages(async () => new Response(null, { status: 404 })),
      ),
    ).toBeUndefined();
    expect(await staticPage(request(), {})).toBeUndefined();
  });

  test('says when to come back when the files cannot be read', async () => {
    const response = await staticPage(
      request(),
      pages(() => Promise.reject(new Error('out of order'))),
    );
    expect(response?.status).toBe(503);
    expect(response?.headers.get('Retry-After')).toBe('30');
    expect(await response?.text()).toContain('try again');
  });
});
