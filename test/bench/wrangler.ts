/** wrangler, for building what is deployed without deploying it. */

import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** Runs a command of wrangler and waits for it. Throws with its output when it fails. */
export function wrangler(...args: readonly string[]): void {
  execFileSync('npx', ['wrangler', ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
}

/** Builds the Worker as production gets it. Returns the path of its code. */
export function deploy(folder: string): string {
  const outdir = join(folder, 'deployed');
  wrangler('deploy', '--dry-run', '--minify', '--env=production', `--outdir=${outdir}`);
  return join(outdir, 'index.js');
}
