/** Wrangler, as a child process. */

import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { childEnvironment } from './child-environment.ts';
import { PROJECT } from './project.ts';

/** The program, for Node to run. */
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

/** Runs wrangler with arguments, and what it reads from its standard input, and waits for its end. */
export type RunWrangler = (args: readonly string[], input?: string) => Promise<Ran>;

/** What wrangler reads of its environment (Wrangler, System environment variables). */
const USED = /^(CLOUDFLARE|CF|WRANGLER)_/;

/** Runs a command, which asks nothing and shows nothing, in the folder of the project. */
export const runWrangler: RunWrangler = (args, input = '') =>
  new Promise((done) => {
    const env = { ...childEnvironment(USED), CI: 'true', WRANGLER_HIDE_BANNER: 'true', NO_COLOR: '1' };
    const child = execFile(process.execPath, [WRANGLER, ...args], { cwd: PROJECT, env }, (error, stdout, stderr) =>
      // wrangler colours its errors even where NO_COLOR forbids it.
      done({
        code: error === null ? 0 : 1,
        stdout: stripVTControlCharacters(stdout),
        stderr: stripVTControlCharacters(stderr),
      }),
    );
    child.stdin?.end(input);
  });
