/** Commands as somebody types them, each in a process of its own. */

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { LocalService } from '../../src/cli/local-service.ts';
import { PROJECT } from '../../src/cli/project.ts';

/** How a command is run. */
interface Options {
  readonly cwd?: string;
  /** Variables in addition to those of this process. */
  readonly env?: NodeJS.ProcessEnv;
}

/** The path of a command. @param name - Such as `events`. */
export function pathOf(name: string): string {
  return join(PROJECT, 'src/cli', `${name}.ts`);
}

/** Runs a command. @throws With its exit code and what it has said, when that is not 0. */
export function run(name: string, args: readonly string[], { env, ...options }: Options = {}) {
  return promisify(execFile)(process.execPath, [pathOf(name), ...args], {
    ...options,
    env: { ...process.env, ...env },
  });
}

/** Runs a command that may fail. */
export async function outcomeOf(name: string, args: readonly string[], options?: Options) {
  const ended = await run(name, args, options).catch((failed) => failed);
  return { code: Number(ended.code ?? 0), stdout: String(ended.stdout), stderr: String(ended.stderr) };
}

/** The variables by which a command finds the bucket of a service. */
export function bucketOf({ store }: LocalService): Record<string, string> {
  return { R2_URL: store.url, R2_ACCESS_KEY_ID: store.accessKeyId, R2_SECRET_ACCESS_KEY: store.secretAccessKey };
}
