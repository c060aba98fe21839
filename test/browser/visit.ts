/** Chromium, and the service that it visits. */

import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { type LocalService, startLocal } from '../../src/cli/local-service.ts';

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

/** A page that is open, and what happened on it. */
export interface Visit {
  readonly page: Page;
  /** Errors and warnings of the console, and exceptions. */
  readonly complaints: readonly string[];
  /** The addresses of all requests. */
  readonly requests: readonly string[];
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
