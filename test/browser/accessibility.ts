/** What axe-core finds on a page. */

import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** The violations of all its rules, each with the elements that break it. */
export async function violations(page: Page): Promise<string[]> {
  // Evaluated from outside the page, whose policy lets no foreign script in.
  await page.evaluate(axe.source);
  const results = await page.evaluate(() =>
    (window as unknown as { axe: typeof import('axe-core') }).axe.run(document, { resultTypes: ['violations'] }),
  );
  return results.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}
