/** Identifies the code of this checkout. */

import { execFile } from 'node:child_process';
import { childEnvironment } from './child-environment.ts';
import { PROJECT } from './project.ts';

export type RunGit = (args: readonly string[]) => Promise<{ readonly code: number; readonly stdout: string }>;

/** Runs git in the project. Every command fails if there is no git or no repository. */
export const runGit: RunGit = (args) =>
  new Promise((done) =>
    execFile('git', [...args], { cwd: PROJECT, env: childEnvironment() }, (error, stdout) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 128;
      done({ code, stdout: stdout.trim() });
    }),
  );

/** The files that make up a version: a change to any of them would deploy another one. */
const DEPLOYED = ['src', 'wrangler.toml', 'package.json', 'package-lock.json'];

/** Digits of the commit in the tag of a version. */
const TAG_DIGITS = 12;

/**
 * The tag for a version deployed from here: the commit, with a plus if files differ; undefined outside a repository.
 */
export async function tagOfCheckout(git: RunGit): Promise<string | undefined> {
  const head = await git(['rev-parse', `--short=${TAG_DIGITS}`, 'HEAD']);
  if (head.code !== 0) return undefined;
  const { stdout: changes } = await git(['status', '--porcelain', '--', ...DEPLOYED]);
  return changes === '' ? head.stdout : `${head.stdout}+`;
}
