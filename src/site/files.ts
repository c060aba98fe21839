/** Every file of the site. */

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import project from '../../package.json' with { type: 'json' };
import { PROBLEM_TYPES, type ProblemSlug } from '../http/problem-types.ts';
import { ask } from './ask.ts';
import { bundle } from './bundle.ts';
import { openApiDocument } from './openapi/document.ts';
import { indexPage } from './page/index-page.ts';
import { layout } from './page/layout.ts';
import { problemPage } from './page/problem-page.ts';
import { statusPage } from './page/status-page.ts';
import { MISTAKES } from './words/mistakes.ts';
import type { Files } from './write-folder.ts';

/** The folder of what is served as it is. */
const PUBLIC = join(import.meta.dirname, 'public');

/** Builds the files, by their paths below the origin. */
export async function siteFiles(): Promise<Files> {
  const bundled = await bundle();
  const answered = await Promise.all(MISTAKES.map(async (mistake) => ({ ...mistake, ...(await ask(mistake)) })));
  const asIs = (await readdir(PUBLIC)).map(async (name) => [name, await readFile(join(PUBLIC, name))] as const);
  const slugs = Object.keys(PROBLEM_TYPES) as ProblemSlug[];
  return new Map<string, string | Uint8Array>([
    ...bundled.files,
    ...(await Promise.all(asIs)),
    ['index.html', layout(bundled, indexPage(answered))],
    ['status.html', layout(bundled, statusPage())],
    ['openapi.json', `${JSON.stringify(openApiDocument(project.version), null, 2)}\n`],
    ...slugs.map((slug): [string, string] => [`problems/${slug}.html`, layout(bundled, problemPage(slug))]),
  ]);
}
