/** A Worker on bare workerd, without the emulator around it. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { build } from 'esbuild';

/** A served Worker, with its process for the accounting. */
export type Served = Awaited<ReturnType<typeof serve>>;

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

const QUEUES = ['EVENTS', 'REJECTED', 'DEAD_LETTERS', 'REJECTED_DEAD_LETTERS', 'GATHER'];

/**
 * Serves a Worker with a stub for Queue and R2.
 *
 * @param folder - Where the files are written.
 * @param entry - The module of the Worker.
 * @param inspectorPort - Where V8's inspector listens, when it is wanted.
 * @throws When the process ends before it answers.
 */
export async function serve(folder: string, entry: string, port: number, inspectorPort?: number) {
  await mkdir(folder, { recursive: true });
  await bundle(entry, join(folder, 'worker.js'));
  await bundle('test/bench/workers/stub.ts', join(folder, 'stub.js'));
  await writeFile(join(folder, 'config.capnp'), configOf(port));
  const workerd = createRequire(import.meta.url)('workerd').default as string;
  const inspector = inspectorPort === undefined ? [] : [`--inspector-addr=127.0.0.1:${inspectorPort}`];
  const child = spawn(workerd, ['serve', 'config.capnp', ...inspector], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(child, 'exit');
  const origin = `http://127.0.0.1:${port}`;
  while (!(await isUp(origin))) {
    if (child.exitCode !== null) throw new Error(`Cannot serve ${entry}: workerd has ended`);
    await sleep(50);
  }
  return {
    origin,
    pid: child.pid ?? Number.NaN,
    async stop() {
      child.kill();
      await ended;
    },
  };
}

/** Bundles a Worker as wrangler does. Modules of the platform stay imports. */
async function bundle(entry: string, outfile: string): Promise<void> {
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'esnext',
    conditions: ['workerd', 'worker', 'browser'],
    external: ['cloudflare:*', 'node:*'],
  });
}

function configOf(port: number): string {
  const bindings = [
    ...QUEUES.map((name) => `(name = "${name}", queue = "stub")`),
    '(name = "BUCKET", r2Bucket = "stub")',
    ...Object.entries(VARS).map(([name, value]) => `(name = "${name}", text = "${value}")`),
  ];
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
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
