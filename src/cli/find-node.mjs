// Where the Node.js is that package.json pins: an optional package for each platform. All of them have a command of the
// name `node`, and a npm before 11 takes the one link away when it passes over those of other platforms, so that nothing
// here rests on it. It is JavaScript of some years ago, since it runs with whatever Node.js a machine has.

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of package.json. */
export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../..');

const MODULES = join(ROOT, 'node_modules');

/** The oldest that the scripts run with: major and minor. */
const MINIMUM = [24, 14];

const INSTALL = `Install Node.js ${MINIMUM.join('.')} or newer from https://nodejs.org, then run npm ci again`;

/**
 * @returns {{ program: string } | { error: string }} The pinned Node.js; else the one that runs this, if it is new enough.
 */
export function findNode() {
  // npm writes it last.
  if (!existsSync(join(MODULES, '.package-lock.json'))) {
    return { error: 'Cannot start: the packages of the project are not installed; run npm ci first' };
  }
  const { optionalDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const platform = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const name = Object.keys(optionalDependencies).find((key) => key.endsWith(`-${platform}`));
  if (name !== undefined) {
    const program = join(MODULES, name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
    if (existsSync(program)) return { program };
  }
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > MINIMUM[0] || (major === MINIMUM[0] && minor >= MINIMUM[1])) return { program: process.execPath };
  const cannot = `Cannot go on with Node.js ${process.versions.node}`;
  if (name === undefined)
    return { error: `${cannot}: no package with a newer one is known for ${platform}. ${INSTALL}` };
  const version = optionalDependencies[name];
  if (/\boptional\b/.test(process.env.npm_config_omit || '') || process.env.npm_config_optional === '') {
    return {
      error: `${cannot}: npm was told to leave optional packages out, and ${name}@${version} is one. Run npm ci --include=optional`,
    };
  }
  return {
    error: `${cannot}: npm has not installed ${name}@${version}, and passes over an optional package that it cannot download \
or whose content is not the one of package-lock.json.
Run npm ci --include=optional, after npm cache clean --force if that does not help; npm ci --loglevel=verbose tells why. Or: ${INSTALL}`,
  };
}
