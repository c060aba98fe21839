/** Deploying from another commit than the one that is checked out here. */

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { type RunGit, runGit } from '../git.ts';
import { withTemporaryFolder } from '../temporary-folder.ts';
import { type Ran, type RunWrangler, wranglerIn } from '../wrangler.ts';

/** Works with the wrangler of a commit, in a checkout of it that is deleted afterwards. */
export type InCheckout = (commit: string, work: (run: RunWrangler) => Promise<Ran>) => Promise<Ran>;

/**
 * Checks a commit out beside this checkout and installs its packages.
 *
 * @param git - Runs git in the repository that has the commit.
 * @throws When the commit is not here, or its packages cannot be installed.
 */
export async function inCheckout(
  commit: string,
  work: (run: RunWrangler) => Promise<Ran>,
  git: RunGit = runGit,
): Promise<Ran> {
  return withTemporaryFolder(async (folder) => {
    const checkout = join(folder, 'checkout');
    const { code } = await git(['worktree', 'add', '--detach', checkout, commit]);
    if (code !== 0) throw new Error(`Cannot check out ${commit}, from which the service was deployed: git fetch first`);
    try {
      await installPackages(checkout);
      return await work(wranglerIn(checkout));
    } finally {
      await git(['worktree', 'remove', '--force', checkout]);
    }
  });
}

/** Variables that scripts of packages have no use for. */
const SECRETS = ['CLOUDFLARE_API_TOKEN', 'CLOUDFLARE_API_KEY', 'API_TOKEN', 'REVOKED_TOKEN'];

function installPackages(folder: string): Promise<void> {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !SECRETS.includes(name)));
  // npm names itself to what it runs; Node starts that on every platform, as it does not start npm.cmd.
  const { npm_execpath: npm } = process.env;
  const [program, args] = npm === undefined ? ['npm', ['ci']] : [process.execPath, [npm, 'ci']];
  return new Promise((done, failed) =>
    execFile(program, args, { cwd: folder, env }, (error, _, stderr) =>
      error === null ? done() : failed(new Error(`Cannot install the packages of the commit: npm says\n\n${stderr}`)),
    ),
  );
}
