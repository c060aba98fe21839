// Finds the Node.js that package.json pins: an optional package for each platform. All of these have a command named
// `node`, and npm before 11 removes the one link when it skips those of other platforms, so nothing here relies on it.
// Written in older JavaScript, since it runs with whatever Node.js a machine has.

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of package.json. */
export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../..');

/** The oldest version that can run the scripts. */
const MINIMUM = { major: 24, minor: 14 };

const INSTALL = `Install Node.js ${MINIMUM.major}.${MINIMUM.minor} or newer from https://nodejs.org, then run npm ci again`;

/**
 * Finds the Node.js for the scripts: the pinned one, or else the one that runs this, if it is new enough.
 *
 * @param {Pick<NodeJS.Process, 'platform' | 'arch' | 'versions' | 'execPath' | 'env'>} machine
 * @returns {{ program: string, error?: undefined } | { error: string }}
 */
export function findNode(machine = process, root = ROOT) {
  const { platform, arch, versions, execPath, env } = machine;
  const modules = join(root, 'node_modules');
  // npm writes this file last.
  if (!existsSync(join(modules, '.package-lock.json'))) {
    return { error: 'Cannot start: the packages of the project are not installed; run npm ci first' };
  }
  const { optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const system = `${platform === 'win32' ? 'win' : platform}-${arch}`;
  const name = Object.keys(optionalDependencies).find((key) => key.endsWith(`-${system}`));
  if (name !== undefined) {
    const program = join(modules, name, 'bin', platform === 'win32' ? 'node.exe' : 'node');
    if (existsSync(program)) return { program };
  }
  const [major = 0, minor = 0] = versions.node.split('.').map(Number);
  if (major > MINIMUM.major || (major === MINIMUM.major && minor >= MINIMUM.minor)) return { program: execPath };
  return { error: `Cannot go on with Node.js ${versions.node}: ${explain(name, system, env)}` };
}

/**
 * @param {string | undefined} name - The package, if there is one for the system.
 * @param {string} system
 * @param {NodeJS.ProcessEnv} env
 * @returns {string} Why there is no newer one, and what to do.
 */
function explain(name, system, env) {
  if (name === undefined) return `there is no package with a newer one for ${system}. ${INSTALL}`;
  if (/\boptional\b/.test(env.npm_config_omit || '')) {
    return `npm was told to leave out optional packages, and ${name} is one. Run npm ci --include=optional`;
  }
  return `npm has not installed ${name}. It skips an optional package that it cannot download, or whose content differs from \
package-lock.json: npm ci --loglevel=verbose shows which.
Run npm ci again, after npm cache clean --force if that does not help. Or: ${INSTALL}`;
}
