/** Runs wrangler as a child process. */

import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { childEnvironment } from './child-environment.ts';
import { PROJECT } from './project.ts';

/** The program, to be run by Node. */
export const WRANGLER = join(
  dirname(createRequire(import.meta.url).resolve('wrangler/package.json')),
  'bin/wrangler.js',
);

/** How a command ended. */
export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * What a command has printed.
 *
 * @param purpose - What it was for, such as `deploy`.
 * @throws When it failed, with what it has said.
 */
export function outputOf({ code, stdout, stderr }: Ran, purpose: string): string {
  if (code === 0) return stdout.trim();
  throw new Error(`Cannot ${purpose}: wrangler says\n\n${stderr.trim() || stdout.trim()}`);
}

/** Runs wrangler with arguments and standard input, and waits until it ends. */
export type RunWrangler = (args: readonly string[], input?: string) => Promise<Ran>;

/** The variables that wrangler reads (Wrangler, System environment variables). */
const USED = /^(CLOUDFLARE|CF|WRANGLER)_/;

/** Runs a command in the project's folder, without prompts and without showing its output. */
export const runWrangler: RunWrangler = (args, input = '') =>
  new Promise((done) => {
    const env = { ...childEnvironment(USED), CI: 'true', WRANGLER_HIDE_BANNER: 'true', NO_COLOR: '1' };
    const child = execFile(process.execPath, [WRANGLER, ...args], { cwd: PROJECT, env }, (error, stdout, stderr) =>
      // wrangler colours its errors even if NO_COLOR is set.
      done({
        code: error === null ? 0 : 1,
        stdout: stripVTControlCharacters(stdout),
        stderr: stripVTControlCharacters(stderr),
      }),
    );
    child.stdin?.end(input);
  });
