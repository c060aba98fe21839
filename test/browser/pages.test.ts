/** Every page as it is opened: quiet, light, readable, and of this origin alone. */

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { PROJECT } from '../../src/cli/project.ts';
import { formatTable } from '../../src/cli/table.ts';
import { violations } from './accessibility.ts';
import { NARROW, setUp, WIDE } from './visit.ts';

/** Where pictures of the pages are left, to be looked at. */
const PICTURES = join(PROJECT, 'dist/screenshots');

/** What the page may weigh on the way, everything included, in bytes. */
const MAX_WEIGHT_BYTES = 100_000;

const { service, visit } = setUp();

const SITUATIONS = [
  ['wide', { ...WIDE, colorScheme: 'light' }],
  ['wide-dark', { ...WIDE, colorScheme: 'dark' }],
  ['narrow', { ...NARROW, colorScheme: 'light' }],
  ['narrow-dark', { ...NARROW, colorScheme: 'dark' }],
] as const;

describe.each(SITUATIONS)('%s', (name, options) => {
  test.each(['/', '/problems/invalid-event', '/problems/unavailable'])(
    '%s is quiet, fits and is accessible',
    async (path) => {
      const { page, complaints, requests } = await visit(path, options);
      expect(complaints).toEqual([]);
      expect(requests.filter((url) => new URL(url).origin !== service().origin)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
      expect(await violations(page)).toEqual([]);
      await mkdir(PICTURES, { recursive: true });
      await page.screenshot({
        path: join(PICTURES, `${name}${path === '/' ? '' : path.replaceAll('/', '-')}.png`),
        fullPage: true,
      });
    },
  );
});

test('the page is light', async () => {
  const { page } = await visit('/');
  const loaded = await page.evaluate(() =>
    [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')].map((entry) => {
      const { name, encodedBodySize, responseEnd } = entry as PerformanceResourceTiming;
      return { name: new URL(name).pathname, encodedBodySize, responseEnd };
    }),
  );
  const paint = await page.evaluate(async () => {
    const observe = (type: string) =>
      new Promise<PerformanceEntryList>((resolve) => {
        new PerformanceObserver((list) => resolve(list.getEntries())).observe({ type, buffered: true });
        // A page on which nothing moves has no entry to wait for.
        setTimeout(() => resolve([]), 500);
      });
    const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
    const shifts = (await observe('layout-shift')) as (PerformanceEntry & { value: number })[];
    return {
      firstContentfulPaintMs: performance.getEntriesByName('first-contentful-paint')[0]?.startTime,
      largestContentfulPaintMs: (await observe('largest-contentful-paint')).at(-1)?.startTime,
      domContentLoadedMs: navigation?.domContentLoadedEventEnd,
      layoutShift: shifts.reduce((sum, { value }) => sum + value, 0),
    };
  });
  const weight = loaded.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0);
  console.log(formatTable(loaded));
  console.log({ weight, requests: loaded.length, ...paint });
  expect(weight).toBeLessThan(MAX_WEIGHT_BYTES);
});

test('a phone shows every link of the navigation, and sections that open when they are asked for', async () => {
  const { page } = await visit('/', NARROW);
  for (const link of await page.locator('.sections a').all()) {
    const box = await link.boundingBox();
    expect(box?.x).toBeGreaterThanOrEqual(0);
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(NARROW.viewport.width);
  }
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThan(6_000);
  const warnings = page.locator('#warnings dl');
  expect(await warnings.isVisible()).toBe(false);
  await page.locator('.sections').getByRole('link', { name: 'Warnings' }).click();
  await expect.poll(() => warnings.isVisible()).toBe(true);
  await page.getByRole('button', { name: 'Warnings' }).click();
  expect(await warnings.isVisible()).toBe(false);
});

test('the first screen writes the address in one piece, and what was accepted in the colour of what is good', async () => {
  const { page } = await visit('/', { viewport: { width: 1280, height: 800 } });
  const lines = await page.locator('.address code').evaluate((code) => {
    const { lineHeight } = getComputedStyle(code);
    return Math.round(code.getBoundingClientRect().height / Number.parseFloat(lineHeight));
  });
  expect(lines).toBe(1);
  const colourOf = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((place) => getComputedStyle(place).color);
  expect(await page.locator('.stub .hljs-status-2').textContent()).toBe('202');
  expect(await colourOf('.stub .hljs-status-2')).not.toBe(await colourOf('.hljs-status-4, .hljs-literal'));
});

test('every answer names a page that explains it', async () => {
  const { page } = await visit('/');
  const links = await page
    .locator('#answers a[href^="/problems/"]')
    .evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).pathname));
  expect(links.length).toBeGreaterThan(8);
  for (const path of links) {
    const response = await page.goto(service().origin + path);
    expect(response?.status(), path).toBe(200);
    expect(await page.getByRole('heading', { name: 'What to do' }).isVisible()).toBe(true);
    expect(await violations(page), path).toEqual([]);
  }
});

test('a refusal names the page that explains it', async () => {
  const response = await fetch(service().endpoint, { method: 'POST', body: '{}' });
  const { type, title } = (await response.json()) as { type: string; title: string };
  const { page } = await visit(type);
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(title);
});

test('without a script everything can be read', async () => {
  const { page, complaints } = await visit('/', { ...WIDE, javaScriptEnabled: false });
  expect(complaints).toEqual([]);
  for (const language of ['curl', 'C#', 'Java', 'JavaScript', 'Python', 'PHP']) {
    expect(
      await page.getByRole('region', { name: `How to send an event with ${language}`, exact: true }).isVisible(),
    ).toBe(true);
  }
  expect(await page.getByText('This panel needs JavaScript').isVisible()).toBe(true);
});
