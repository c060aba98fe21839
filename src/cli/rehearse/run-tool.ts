/** A command of this project, as somebody types it. */

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { PROJECT } from '../project.ts';
import type { Ran } from '../wrangler.ts';

/**
 * Runs it and waits for its end.
 *
 * @param file - Its file in `src/cli`.
 * @param signal - Ends it before, as a failure.
 */
export function runTool(
  file: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  signal?: AbortSignal,
): Promise<Ran> {
  return new Promise((done) =>
    execFile(
      process.execPath,
      [join(PROJECT, 'src/cli', file), ...args],
      { env, ...(signal !== undefined && { signal }) },
      (error, stdout, stderr) => done({ code: error === null ? 0 : 1, stdout, stderr }),
    ),
  );
}
