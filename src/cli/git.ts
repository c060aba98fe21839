/** Which code this checkout holds. */

import { execFile } from 'node:child_process';
import { childEnvironment } from './child-environment.ts';
import { PROJECT } from './project.ts';

/** Runs git and tells how it ended. */
export type RunGit = (args: readonly string[]) => Promise<{ readonly code: number; readonly stdout: string }>;

/** Runs git in the project. Where there is no git, or no repository, every command fails. */
export const runGit: RunGit = (args) =>
  new Promise((done) =>
    execFile('git', [...args], { cwd: PROJECT, env: childEnvironment() }, (error, stdout) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 128;
      done({ code, stdout: stdout.trim() });
    }),
  );

/** What is deployed from here and would be another version if it were changed. */
const DEPLOYED = ['src', 'wrangler.toml', 'package.json', 'package-lock.json'];

/** How many digits of a commit a version is tagged with. */
const TAG_DIGITS = 12;

/**
 * The tag of a version that is deployed from here: the commit, with a plus when files differ from it; undefined outside a
 * repository.
 */
export async function tagOfCheckout(git: RunGit): Promise<string | undefined> {
  const head = await git(['rev-parse', `--short=${TAG_DIGITS}`, 'HEAD']);
  if (head.code !== 0) return undefined;
  const { stdout: changes } = await git(['status', '--porcelain', '--', ...DEPLOYED]);
  return changes === '' ? head.stdout : `${head.stdout}+`;
}
