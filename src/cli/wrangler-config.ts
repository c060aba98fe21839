/** Reads wrangler.toml. Loads wrangler, which takes a second or two. */

import { join } from 'node:path';
import { unstable_readConfig } from 'wrangler';
import { PROJECT } from './project.ts';

/** Reads an environment, whatever the working directory is. */
export function readWranglerConfig(env: string): ReturnType<typeof unstable_readConfig> {
  return unstable_readConfig({ config: join(PROJECT, 'wrangler.toml'), env }, { hideWarnings: true });
}
