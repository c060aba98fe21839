/** Every page as it is opened: quiet, light, readable, and of this origin alone. */

import { describe, expect, test } from 'vitest';
import { expectGood, NARROW, SITUATIONS, setUp, violations, WIDE } from './visit.ts';

/** What the page may weigh on the way, everything included, in bytes. */
const MAX_WEIGHT_BYTES = 100_000;

const { service, visit } = setUp();

describe.each(SITUATIONS)('%s', (name, options) => {
  test.each([
    ['/', ''],
    ['/problems/invalid-event', '-invalid-event'],
    ['/problems/unavailable', '-unavailable'],
  ])('%s is quiet, of this origin alone, fits and is accessible', async (path, picture) => {
    const visited = await visit(path, options);
    expect(visited.requests.filter((url) => new URL(url).origin !== service().origin)).toEqual([]);
    await expectGood(visited, `${name}${picture}`);
  });
});

test('the page is light', async () => {
  const { page } = await visit('/');
  const sizes = await page.evaluate(() =>
    [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')].map(
      (entry) => (entry as PerformanceResourceTiming).encodedBodySize,
    ),
  );
  const weight = sizes.reduce((sum, size) => sum + size, 0);
  expect(weight).toBeGreaterThan(0);
  expect(weight).toBeLessThan(MAX_WEIGHT_BYTES);
});

test('a phone shows every link of the navigation, and sections when they are asked for', async () => {
  const { page } = await visit('/', NARROW);
  for (const link of await page.locator('.sections a').all()) {
    const box = await link.boundingBox();
    expect(box?.x).toBeGreaterThanOrEqual(0);
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(NARROW.viewport.width);
  }
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThan(6_000);
  const warnings = page.locator('#warnings table');
  expect(await warnings.isVisible()).toBe(false);
  await page.locator('.sections').getByRole('link', { name: 'Warnings' }).click();
  expect(await warnings.isVisible()).toBe(true);
  await page.getByRole('heading', { name: 'The fields' }).getByRole('link').click();
  expect(await warnings.isVisible()).toBe(false);
  expect(
    await page.getByRole('heading', { name: 'The fields' }).evaluate((title) => title.getBoundingClientRect().top),
  ).toBeLessThan(200);
});

test('the first screen writes the address in one piece, and what was accepted in the colour of what is good', async () => {
  const { page } = await visit('/', { viewport: { width: 1280, height: 800 } });
  const lines = await page.locator('.address code').evaluate((code) => {
    const { lineHeight } = getComputedStyle(code);
    return Math.round(code.getBoundingClientRect().height / Number.parseFloat(lineHeight));
  });
  expect(lines).toBe(1);
  expect(await page.locator('.address code').textContent()).toContain(service().endpoint);
  const colourOf = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((place) => getComputedStyle(place).color);
  expect(await page.locator('.hero .hljs-status-2').textContent()).toBe('202');
  expect(await colourOf('.hero .hljs-status-2')).not.toBe(await colourOf('.hljs-literal'));
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

test('without a script everything can be read', async () => {
  const { page, complaints } = await visit('/', { ...WIDE, javaScriptEnabled: false });
  expect(complaints).toEqual([]);
  for (const language of ['curl', 'C#', 'Java', 'JavaScript', 'Python', 'PHP']) {
    const snippet = page.getByRole('region', { name: `How to send an event with ${language}`, exact: true });
    if (!(await snippet.isVisible())) await page.locator('summary').getByText(language, { exact: true }).click();
    expect(await snippet.isVisible()).toBe(true);
  }
  expect(await page.getByText('This panel needs JavaScript').isVisible()).toBe(true);
});
