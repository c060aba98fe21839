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

export const BENCH_TOKEN = 'bench-token-of-an-ordinary-length-0123456789';

const VARS = {
  API_TOKEN: BENCH_TOKEN,
  API_TOKEN_NEXT: '',
  LANDING_QUEUE: 'landing',
  DEAD_LETTER_QUEUE: 'dead-letter',
  REJECTED_QUEUE: 'rejected',
  REJECTED_DEAD_LETTER_QUEUE: 'rejected-dead-letter',
  PUBLISH_CRON: '* * * * *',
  PUBLISH_AFTER_MINUTES: '5',
};

/**
 * Serves a Worker with a stub for Queue and R2.
 *
 * @param folder - Where the files are written.
 * @param code - The bundled Worker.
 * @param stub - The bundled stub.
 * @param inspectorPort - Where V8's inspector listens, when it is wanted.
 */
export async function serve(
  folder: string,
  code: string,
  stub: string,
  port: number,
  inspectorPort?: number,
): Promise<Served> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'worker.js'), code);
  await writeFile(join(folder, 'stub.js'), stub);
  await writeFile(join(folder, 'config.capnp'), configOf(port));
  const workerd = createRequire(import.meta.url)('workerd').default as string;
  const inspector = inspectorPort === undefined ? [] : [`--inspector-addr=127.0.0.1:${inspectorPort}`];
  const child = spawn(workerd, ['serve', 'config.capnp', ...inspector], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const origin = `http://127.0.0.1:${port}`;
  while (!(await isUp(origin))) {
    if (hasEnded(child)) throw new Error(`Cannot serve ${folder}: workerd has ended`);
    await sleep(50);
  }
  return { origin, pid: pidOf(child), stop: () => stop(child) };
}

function configOf(port: number): string {
  const vars = Object.entries(VARS).map(([name, value]) => `(name = "${name}", text = "${value}")`);
  const bindings = [
    '(name = "EVENTS", queue = "stub")',
    '(name = "REJECTED", queue = "stub")',
    '(name = "DEAD_LETTERS", queue = "stub")',
    '(name = "REJECTED_DEAD_LETTERS", queue = "stub")',
    '(name = "BUCKET", r2Bucket = "stub")',
    ...vars,
  ];
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .main), (name = "stub", worker = .stub)],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")]
);
const main :Workerd.Worker = (
  modules = [(name = "worker", esModule = embed "worker.js")],
  compatibilityDate = "2026-11-01",
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
