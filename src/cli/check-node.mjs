// Run by `npm ci`: reports what is missing while the reason is still known.

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { findNode, ROOT } from './find-node.mjs';

const found = findNode();
const error = found.error ?? findFault(found.program);
if (error !== undefined) {
  console.error(error);
  process.exit(1);
}
if (found.error === undefined && process.platform !== 'win32') linkNode(found.program);
dropEngines();

/**
 * @param {string} program
 * @returns {string | undefined} Why it does not run here.
 */
function findFault(program) {
  const { status, error, stderr } = spawnSync(program, ['--version'], { encoding: 'utf8' });
  if (status === 0) return undefined;
  const why = error === undefined ? stderr.trim() : error.message;
  return `Cannot go on: ${program} does not run on this system (${why}). It needs glibc on Linux, and a folder from which programs may be run`;
}

/**
 * Makes `npx` find the same Node.js; npm before 11 has removed the link.
 *
 * @param {string} program
 */
function linkNode(program) {
  const link = join(ROOT, 'node_modules/.bin/node');
  if (existsSync(link)) return;
  rmSync(link, { force: true });
  symlinkSync(relative(dirname(link), program), link);
}

/**
 * Removes the `engines` of packages from package-lock.json, where `npm install` writes them: packages run with another
 * Node.js than npm does, and npm would skip optional packages with binaries because of the version it runs with.
 */
function dropEngines() {
  const file = join(ROOT, 'package-lock.json');
  const before = readFileSync(file, 'utf8');
  const after = `${JSON.stringify(JSON.parse(before), (key, value) => (key === 'engines' ? undefined : value), 2)}\n`;
  if (after !== before) writeFileSync(file, after);
}
