/** Deploys this checkout together with its tokens, so that no version goes out with outdated ones. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { missingFromAccount } from '../provision/account.ts';
import { withTemporaryFolder } from '../temporary-folder.ts';
import { outputOf, type RunWrangler } from '../wrangler.ts';

/** The secrets of a deployment, by name. */
export type Secrets = Readonly<Record<string, string>>;

/**
 * Deploys with wrangler. Other secrets stay as they are.
 *
 * @param tag - Tag of the version, see {@link tagOfCheckout}.
 * @returns What wrangler has printed.
 * @throws When it fails; the message says what is missing from the account, if that is why.
 */
export function deployCheckout(
  env: string,
  secrets: Secrets,
  tag: string | undefined,
  run: RunWrangler,
): Promise<string> {
  return withTemporaryFolder(async (folder) => {
    const file = join(folder, 'secrets.json');
    await writeFile(file, JSON.stringify(secrets), { mode: 0o600 });
    const tagged = tag === undefined ? [] : ['--tag', tag];
    const ran = await run(['deploy', '--minify', '--env', env, ...tagged, '--secrets-file', file]);
    const missing = ran.code === 0 ? undefined : missingFromAccount(ran.stderr + ran.stdout);
    if (missing !== undefined) throw new Error(`Cannot deploy: ${missing}; then deploy again`);
    return outputOf(ran, 'deploy');
  });
}
