/** Reads and writes the secrets of local development, in `.dev.vars`. */

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { parse } from 'dotenv';
import { PROJECT } from './project.ts';

/** The file from which wrangler reads them, with the same library. */
export const SECRETS_FILE = join(PROJECT, '.dev.vars');

/** Characters with a meaning in the dotenv format, even in single quotes. */
const SPECIAL = /['$]/g;

/** Reads the secrets by name. */
export function readLocalSecrets(file = SECRETS_FILE): Readonly<Record<string, string>> {
  return parse(readText(file));
}

/**
 * Sets a secret and leaves the rest of the file unchanged.
 *
 * @param value - As written in the file.
 * @throws When the format of the file does not allow that.
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

/** JSON in single quotes; characters that would end or expand the string become JSON escapes. */
export function quoteJson(json: string): string {
  return `'${json.replace(SPECIAL, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)}'`;
}

/** Matches all assignments to a name, each with its newline. A quoted value may span several lines. */
function assignmentsOf(name: string): RegExp {
  const value = `'[^']*'|"[^"]*"|\`[^\`]*\`|`;
  return new RegExp(`^[ \\t]*(?:export[ \\t]+)?${name}[ \\t]*[=:][ \\t]*(?:${value})[^\\n]*\\n?`, 'gm');
}

function readText(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}
