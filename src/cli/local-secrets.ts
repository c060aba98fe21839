/** The secrets of local development, in `.dev.vars`. */

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { parse } from 'dotenv';
import { PROJECT } from './project.ts';

/** Where wrangler reads them, with the same library. */
export const SECRETS_FILE = join(PROJECT, '.dev.vars');

/** Characters that mean something in a file of the dotenv format, even between single quotes. */
const SPECIAL = /['$]/g;

/** Reads the secrets by their names. */
export function readLocalSecrets(file = SECRETS_FILE): Readonly<Record<string, string>> {
  return parse(readText(file));
}

/**
 * Sets a secret and leaves everything else in the file as it is.
 *
 * @param value - As it is written in the file.
 * @throws When the file is written so that this is not possible.
 */
export function setLocalSecret(name: string, value: string, file = SECRETS_FILE): void {
  const before = readText(file);
  const without = before.replace(assignmentsOf(name), '');
  const assignment = `${name}=${value}\n`;
  const after = `${without}${without === '' || without.endsWith('\n') ? '' : '\n'}${assignment}`;
  if (!isDeepStrictEqual(parse(after), { ...parse(before), ...parse(assignment) })) {
    throw new Error(`Cannot set ${name} in ${file} without a change to the rest; delete it there, then try again`);
  }
  writeFileSync(file, after, { mode: 0o600 });
}

/** A JSON text between single quotes; what would end or expand them is written as an escape of JSON. */
export function quoteJson(json: string): string {
  return `'${json.replace(SPECIAL, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)}'`;
}

/** Every assignment to a name, with its line end; a value in quotes may go over several lines. */
function assignmentsOf(name: string): RegExp {
  const value = `'[^']*'|"[^"]*"|\`[^\`]*\`|`;
  return new RegExp(`^[ \\t]*(?:export[ \\t]+)?${name}[ \\t]*[=:][ \\t]*(?:${value})[^\\n]*\\n?`, 'gm');
}

function readText(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}
