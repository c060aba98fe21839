/** Deploying this checkout, together with the tokens, so that no version goes out with those of yesterday. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withTemporaryFolder } from '../temporary-folder.ts';
import type { Ran, RunWrangler } from '../wrangler.ts';

/** The secrets of a deployment, by name. */
export type Secrets = Readonly<Record<string, string>>;

/**
 * Deploys with wrangler. Secrets that are not among these stay as they are.
 *
 * @param tag - What the version is tagged with, see {@link tagOfCheckout}.
 */
export function deployCheckout(env: string, secrets: Secrets, tag: string | undefined, run: RunWrangler): Promise<Ran> {
  return withTemporaryFolder(async (folder) => {
    const file = join(folder, 'secrets.json');
    await writeFile(file, JSON.stringify(secrets), { mode: 0o600 });
    const tagged = tag === undefined ? [] : ['--tag', tag];
    return run(['deploy', '--minify', '--env', env, ...tagged, '--secrets-file', file]);
  });
}
