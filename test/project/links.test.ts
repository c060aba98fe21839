/** Links between the documents lead somewhere, to the heading too. */

import { existsSync } from 'node:fs';
import { posix } from 'node:path';
import { expect, test } from 'vitest';
import { DOCUMENTS } from './documents.ts';

const LINK = /\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g;

/** The anchors of a document as GitHub makes them: lower case, hyphens for blanks, punctuation left out. */
function anchors(text: string): string[] {
  const prose = text.replace(/^```[\s\S]*?^```/gm, '');
  return [...prose.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-'),
  );
}

const LINKS = [...DOCUMENTS].flatMap(([path, text]) =>
  [...text.matchAll(LINK)].map(([, to = '', anchor = '']) => ({
    path,
    target: to === '' ? path : posix.join(posix.dirname(path), to),
    anchor,
  })),
);

test('the README links to every document', () => {
  const targets = LINKS.filter(({ path }) => path === 'README.md').map(({ target }) => target);
  expect([...targets, 'README.md']).toEqual(expect.arrayContaining([...DOCUMENTS.keys()]));
});

test.each(LINKS)('$path links to $target#$anchor', ({ target, anchor }) => {
  expect(existsSync(target)).toBe(true);
  if (anchor !== '') expect(anchors(DOCUMENTS.get(target) ?? '')).toContain(anchor);
});
