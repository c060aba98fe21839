import { beforeAll, expect, test } from 'vitest';
import { PROBLEM_TYPES } from '../../src/http/problem-types.ts';
import { siteFiles } from '../../src/site/files.ts';
import type { Files } from '../../src/site/write-folder.ts';

let files: Files;

beforeAll(async () => {
  files = await siteFiles();
});

test.each(Object.keys(PROBLEM_TYPES))('the problem type %s has a page', (slug) => {
  expect(files.has(`problems/${slug}.html`)).toBe(true);
});

test('pages load nothing that is not there, and nothing inline that the policy forbids', () => {
  for (const [path, content] of files) {
    if (!path.endsWith('.html')) continue;
    const page = String(content);
    for (const [, target = ''] of page.matchAll(/<(?:link|script|img)\b[^>]*(?:href|src)="([^"]*)"/g)) {
      expect(files.has(target.slice(1)), `${path} loads ${target}`).toBe(true);
    }
    expect(page).not.toMatch(/ style=|<style| on\w+=|<script(?! type="module" src)/);
  }
});

test('links within a page have a target', () => {
  const page = String(files.get('index.html'));
  for (const [, id] of page.matchAll(/href="#([^"]*)"/g)) expect(page).toContain(`id="${id}"`);
});
