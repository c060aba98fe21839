/** The secrets of local development, in `.dev.vars`. */

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT } from './project.ts';

/** Where wrangler reads them. */
export const SECRETS_FILE = join(PROJECT, '.dev.vars');

/** Characters that mean something in a file of the dotenv format, even between single quotes. */
const SPECIAL = /['$]/g;

/** Sets a secret and leaves the others as they are. */
export function setLocalSecret(name: string, value: string, file = SECRETS_FILE): void {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
  const others = lines.filter((line) => line.trim() !== '' && line.split('=', 1)[0]?.trim() !== name);
  writeFileSync(file, `${[...others, `${name}=${value}`].join('\n')}\n`, { mode: 0o600 });
}

/** A JSON text between single quotes; what would end or expand them is written as an escape of JSON. */
export function quoteJson(json: string): string {
  return `'${json.replace(SPECIAL, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)}'`;
}
