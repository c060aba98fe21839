/** Deploying this checkout, together with the tokens, so that no version goes out with those of yesterday. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Ran, RunWrangler } from '../wrangler.ts';

/** The secrets of a deployment, by name. */
export type Secrets = Readonly<Record<string, string>>;

/**
 * Deploys with wrangler. Secrets that are not among these stay as they are.
 *
 * @param tag - What the version is tagged with, see {@link tagOfCheckout}.
 */
export async function deployCheckout(
  env: string,
  secrets: Secrets,
  tag: string | undefined,
  run: RunWrangler,
): Promise<Ran> {
  const folder = mkdtempSync(join(tmpdir(), 'secrets-'));
  try {
    const file = join(folder, 'secrets.json');
    writeFileSync(file, JSON.stringify(secrets), { mode: 0o600 });
    const tagged = tag === undefined ? [] : ['--tag', tag];
    return await run(['deploy', '--minify', '--env', env, ...tagged, '--secrets-file', file]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
