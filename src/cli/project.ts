import { resolve } from 'node:path';

/** The folder of wrangler.toml. */
export const PROJECT = resolve(import.meta.dirname, '../..');
