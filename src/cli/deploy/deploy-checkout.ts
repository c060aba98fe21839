/** Deploys this checkout together with its tokens, so that no version goes out with outdated ones. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withTemporaryFolder } from '../temporary-folder.ts';
import type { Ran, RunWrangler } from '../wrangler.ts';

/** The secrets of a deployment, by name. */
export type Secrets = Readonly<Record<string, string>>;

/**
 * Deploys with wrangler. Other secrets stay as they are.
 *
 * @param tag - Tag of the version, see {@link tagOfCheckout}.
 */
export function deployCheckout(env: string, secrets: Secrets, tag: string | undefined, run: RunWrangler): Promise<Ran> {
  return withTemporaryFolder(async (folder) => {
    const file = join(folder, 'secrets.json');
    await writeFile(file, JSON.stringify(secrets), { mode: 0o600 });
    const tagged = tag === undefined ? [] : ['--tag', tag];
    return run(['deploy', '--minify', '--env', env, ...tagged, '--secrets-file', file]);
  });
}
