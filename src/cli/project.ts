/** Where the project lies on this machine. */

import { resolve } from 'node:path';

/** The folder of wrangler.toml. */
export const PROJECT = resolve(import.meta.dirname, '../..');
