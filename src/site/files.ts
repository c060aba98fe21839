/** Every file of the site. */

import project from '../../package.json' with { type: 'json' };
import { PROBLEM_TYPES, type ProblemSlug } from '../http/problem-types.ts';
import { ask } from './ask.ts';
import { assetHeaders } from './asset-headers.ts';
import { bundle } from './bundle.ts';
import { openApiDocument } from './openapi/document.ts';
import { indexPage } from './page/index-page.ts';
import { layout } from './page/layout.ts';
import { problemPage } from './page/problem-page.ts';
import { statusPage } from './page/status-page.ts';
import { MISTAKES } from './words/mistakes.ts';
import type { Files } from './write-folder.ts';

/** The bell of a front desk, as an SVG that works on light and dark tabs. */
const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#1f2a24"/><g fill="none" stroke="#e5b567" stroke-width="2.2" stroke-linecap="round" stroke-linejoin="round"><path d="M16 9.5V7.6m-2.2 0h4.4M6.4 21.5a9.6 9.6 0 0 1 19.2 0z"/><path d="M5 25h22"/></g></svg>
`;

/** Builds the files, by their paths below the origin. */
export async function siteFiles(): Promise<Files> {
  const bundled = await bundle();
  const answered = await Promise.all(MISTAKES.map(async (mistake) => ({ ...mistake, answer: await ask(mistake) })));
  const slugs = Object.keys(PROBLEM_TYPES) as ProblemSlug[];
  return new Map<string, string | Uint8Array>([
    ...bundled.files,
    ['_headers', assetHeaders()],
    ['icon.svg', ICON],
    ['index.html', layout(bundled, indexPage(answered))],
    ['status.html', layout(bundled, statusPage())],
    ['openapi.json', `${JSON.stringify(openApiDocument(project.version), null, 2)}\n`],
    ...slugs.map((slug): [string, string] => [`problems/${slug}.html`, layout(bundled, problemPage(slug))]),
  ]);
}
