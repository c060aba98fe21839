/** The environments that can be deployed: the tables `[env.NAME]` of wrangler.toml, the only list of them. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT } from './project.ts';
import { UsageError } from './usage.ts';

/**
 * The names that `--env` accepts, in file order. Reads table headers only, since loading wrangler to parse the file
 * takes a second or two; a test compares the names with those that wrangler reads.
 */
export function environments(file = join(PROJECT, 'wrangler.toml')): readonly string[] {
  const heads = readFileSync(file, 'utf8').matchAll(/^\[+env\.([\w-]+)/gm);
  return [...new Set(Array.from(heads, ([, name = '']) => name))];
}

/** The option that chooses an environment. @throws UsageError when wrangler.toml has no such environment. */
export const ENV = {
  value: 'NAME',
  about: 'an environment of wrangler.toml',
  read(name: string): string {
    const known = environments();
    if (known.includes(name)) return name;
    throw new UsageError(
      `Cannot use --env ${name}: wrangler.toml has no [env.${name}]; give one of ${known.join(', ')}, or add it there`,
    );
  },
};

/** The same, production by default. */
export const ENV_OR_PRODUCTION = { ...ENV, default: 'production' };
