/** The wrangler of a checkout, as a child process. */

import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { PROJECT } from './project.ts';

/** The program, for Node to run. */
export const WRANGLER = programOf(PROJECT);

function programOf(folder: string): string {
  const { resolve } = createRequire(join(folder, 'package.json'));
  return join(dirname(resolve('wrangler/package.json')), 'bin/wrangler.js');
}

/** How a command ended. */
export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs wrangler with arguments, and what it reads from its standard input, and waits for its end. */
export type RunWrangler = (args: readonly string[], input?: string) => Promise<Ran>;

/** Runs commands that ask nothing and show nothing, with the wrangler of a folder. */
export function wranglerIn(folder: string): RunWrangler {
  return (args, input = '') =>
    new Promise((done) => {
      const options = {
        cwd: folder,
        env: { ...process.env, CI: 'true', WRANGLER_HIDE_BANNER: 'true', NO_COLOR: '1' },
      };
      const child = execFile(process.execPath, [programOf(folder), ...args], options, (error, stdout, stderr) =>
        // wrangler colours its errors even where NO_COLOR forbids it.
        done({
          code: error === null ? 0 : 1,
          stdout: stripVTControlCharacters(stdout),
          stderr: stripVTControlCharacters(stderr),
        }),
      );
      child.stdin?.end(input);
    });
}

/** Runs a command with the wrangler of this project. */
export const runWrangler = wranglerIn(PROJECT);
