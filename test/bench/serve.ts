/** A built Worker on bare workerd, without the emulator around it. */

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** A served Worker. */
export interface Served {
  readonly origin: string;
  /** The process, for its accounting. */
  readonly pid: number;
  stop(): Promise<void>;
}

/** What is other than usual. */
interface ServeOptions {
  /** Where V8's inspector listens, when it is wanted. */
  readonly inspectorPort?: number;
  /** A command that runs workerd, with its arguments. */
  readonly under?: readonly string[];
  readonly v8Flags?: readonly string[];
}

export const BENCH_TOKEN = 'bench-token-of-an-ordinary-length-0123456789';

const VARS = {
  API_TOKEN: BENCH_TOKEN,
  API_TOKEN_NEXT: '',
  BUCKET_NAME: 'bench',
  LANDING_QUEUE: 'landing',
  DEAD_LETTER_QUEUE: 'dead-letter',
  REJECTED_QUEUE: 'rejected',
  REJECTED_DEAD_LETTER_QUEUE: 'rejected-dead-letter',
  GATHER_QUEUE: 'gather',
  PUBLISH_CRON: '* * * * *',
  PUBLISH_AFTER_MINUTES: '5',
};

/**
 * Serves a Worker with a stub for Queue and R2.
 *
 * @param folder - Where the files are written.
 * @param code - The bundled Worker.
 * @param stub - The bundled stub.
 * @throws When the process ends before it answers, or its command is not installed.
 */
export async function serve(
  folder: string,
  code: string,
  stub: string,
  port: number,
  { inspectorPort, under = [], v8Flags = [] }: ServeOptions = {},
): Promise<Served> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'worker.js'), code);
  await writeFile(join(folder, 'stub.js'), stub);
  await writeFile(join(folder, 'config.capnp'), configOf(port, v8Flags));
  const workerd = createRequire(import.meta.url)('workerd').default as string;
  const inspector = inspectorPort === undefined ? [] : [`--inspector-addr=127.0.0.1:${inspectorPort}`];
  const [command = workerd, ...args] = [...under, workerd, 'serve', 'config.capnp', ...inspector];
  const child = spawn(command, args, {
    cwd: folder,
    stdio: ['ignore', 'ignore', under.length > 0 ? 'ignore' : 'inherit'],
  });
  let failure: Error | undefined;
  child.once('error', (error) => {
    failure = error;
  });
  const origin = `http://127.0.0.1:${port}`;
  while (!(await isUp(origin))) {
    if (failure !== undefined)
      throw new Error(`Cannot start ${command}: install it, for example with apt-get install ${command}`, {
        cause: failure,
      });
    if (hasEnded(child)) throw new Error(`Cannot serve ${folder}: workerd has ended`);
    await sleep(50);
  }
  return { origin, pid: pidOf(child), stop: () => stop(child) };
}

function configOf(port: number, v8Flags: readonly string[]): string {
  const vars = Object.entries(VARS).map(([name, value]) => `(name = "${name}", text = "${value}")`);
  const bindings = [
    '(name = "EVENTS", queue = "stub")',
    '(name = "REJECTED", queue = "stub")',
    '(name = "DEAD_LETTERS", queue = "stub")',
    '(name = "REJECTED_DEAD_LETTERS", queue = "stub")',
    '(name = "GATHER", queue = "stub")',
    '(name = "BUCKET", r2Bucket = "stub")',
    ...vars,
  ];
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  v8Flags = [${v8Flags.map((flag) => `"${flag}"`).join(', ')}],
  services = [(name = "main", worker = .main), (name = "stub", worker = .stub)],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")]
);
const main :Workerd.Worker = (
  modules = [(name = "worker", esModule = embed "worker.js")],
  compatibilityDate = "2026-11-01",
  compatibilityFlags = ["no_nodejs_global_timers"],
  bindings = [${bindings.join(', ')}]
);
const stub :Workerd.Worker = (
  modules = [(name = "stub", esModule = embed "stub.js")],
  compatibilityDate = "2026-11-01"
);
`;
}

/** Asks in a way that every Worker can read: the floor parses whatever comes. */
function isUp(origin: string): Promise<boolean> {
  return fetch(origin, { method: 'POST', body: '{}' }).then(
    () => true,
    () => false,
  );
}

function pidOf(child: ChildProcess): number {
  if (child.pid === undefined) throw new Error('Cannot start workerd');
  return child.pid;
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

async function stop(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill();
  await ended;
}
