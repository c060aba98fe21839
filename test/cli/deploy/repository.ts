/** A real git repository in a folder of its own, for what asks git. */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunGit } from '../../../src/cli/git.ts';

/** Makes an empty repository with the branch main. */
export function makeRepository() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'repository-')));

  /** Runs git. @throws When it fails. */
  function git(...args: string[]): string {
    const settings = ['-c', 'user.name=test', '-c', 'user.email=test@example.org', '-c', 'commit.gpgsign=false'];
    return execFileSync('git', [...settings, ...args], { cwd: folder, encoding: 'utf8', stdio: 'pipe' }).trim();
  }

  const run: RunGit = async (args) => {
    try {
      return { code: 0, stdout: git(...args) };
    } catch (error) {
      return { code: (error as { status: number }).status, stdout: '' };
    }
  };

  /** Commits everything, and returns the commit as tags name it. */
  function commit(message: string): string {
    git('add', '.');
    git('commit', '--message', message);
    return git('rev-parse', '--short=12', 'HEAD');
  }

  git('init', '--initial-branch=main');
  return { folder, git, run, commit };
}
