/** Chromium, and the service that it visits. */

import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import axe from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { type LocalService, startLocal } from '../../src/cli/local-service.ts';
import { PROJECT } from '../../src/cli/project.ts';

/** Where Debian's package puts it, and where to say that it is somewhere else. */
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** A browser that goes nowhere of its own accord. */
const ARGUMENTS = [
  '--no-sandbox',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** A window of a desktop, and one of a phone. */
export const WIDE = { viewport: { width: 1440, height: 900 } };
export const NARROW = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/** What every page is looked at in. */
export const SITUATIONS = [
  ['wide', { ...WIDE, colorScheme: 'light' }],
  ['wide-dark', { ...WIDE, colorScheme: 'dark' }],
  ['narrow', { ...NARROW, colorScheme: 'light' }],
  ['narrow-dark', { ...NARROW, colorScheme: 'dark' }],
] as const;

/** A page that is open, and what happened on it. */
export interface Visit {
  readonly page: Page;
  /** Errors and warnings of the console, and exceptions. */
  readonly complaints: readonly string[];
  /** The addresses of all requests. */
  readonly requests: readonly string[];
}

/** Expects a page that is quiet, fits and is accessible, and leaves a picture of it to be looked at. */
export async function expectGood({ page, complaints }: Visit, picture: string): Promise<void> {
  expect(complaints).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
  expect(await violations(page)).toEqual([]);
  await page.screenshot({ path: join(PROJECT, `dist/screenshots/${picture}.png`), fullPage: true });
}

/** What axe-core finds on a page: the violations of all its rules, each with the elements that break it. */
export async function violations(page: Page): Promise<string[]> {
  // Evaluated from outside the page, whose policy lets no foreign script in.
  await page.evaluate(axe.source);
  const results = await page.evaluate(() =>
    (window as unknown as { axe: typeof import('axe-core') }).axe.run(document, { resultTypes: ['violations'] }),
  );
  return results.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}

/** Starts a service, with further variables, and a browser for the tests of a file. */
export function setUp(vars: Readonly<Record<string, string>> = {}): {
  service(): LocalService;
  visit(path: string, options?: BrowserContextOptions): Promise<Visit>;
} {
  let stateDir: string;
  let service: LocalService;
  let browser: Browser;

  beforeAll(async () => {
    if (!existsSync(CHROMIUM)) {
      throw new Error(`Cannot open a browser: ${CHROMIUM} is not there; apt-get install chromium, or set CHROMIUM`);
    }
    stateDir = await mkdtemp(join(tmpdir(), 'reservation-events-'));
    service = await startLocal({ stateDir, show: false, vars });
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ARGUMENTS });
  });

  afterAll(async () => {
    await browser.close();
    await service.stop();
    await rm(stateDir, { recursive: true });
  });

  return {
    service: () => service,
    async visit(path, options = WIDE) {
      const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
      const page = await context.newPage();
      const complaints: string[] = [];
      const requests: string[] = [];
      page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
      });
      page.on('pageerror', (error) => complaints.push(error.message));
      page.on('request', (request) => requests.push(request.url()));
      await page.goto(service.origin + path, { waitUntil: 'networkidle' });
      return { page, complaints, requests };
    },
  };
}
