/** `npm run site`: builds all static files into `dist/site`. Wrangler runs it before `dev` and `deploy`. */

import { join, resolve } from 'node:path';
import { siteFiles } from './files.ts';
import { writeFolder } from './write-folder.ts';

await writeFolder(join(resolve(import.meta.dirname, '../..'), 'dist/site'), await siteFiles());
