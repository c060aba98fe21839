/** The Worker on this machine: wrangler dev as a child process, with simulated Queue and R2. */

import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { setGlobalProxyFromEnv } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import * as v from 'valibot';
import { ENDPOINT_PATH } from '../contract/endpoint.ts';
import { childEnvironment } from './child-environment.ts';
import { countLocalQueues } from './local-queues.ts';
import { readLocalSecrets, setLocalSecret } from './local-secrets.ts';
import type { StoreLocation } from './object-store/request.ts';
import { PROJECT } from './project.ts';
import { WRANGLER } from './wrangler.ts';

// Importers of this module call a service on this machine, which no proxy can reach: Node may be configured to use one
// (NODE_USE_ENV_PROXY, `--use-env-proxy`).
if (process.env.NODE_USE_ENV_PROXY === '1' || process.execArgv.includes('--use-env-proxy')) {
  setGlobalProxyFromEnv(withoutLoopbackProxy(process.env));
}

/** The port of `npm start`. */
export const DEFAULT_PORT = 8787;

/** Local batches close within a second, so queues that are not empty after this time never will be, in milliseconds. */
const DRAIN_TIMEOUT_MS = 15_000;

/** How long the queues must stay empty, in milliseconds: a request is logged only when it is answered. */
const QUIET_MS = 300;

/** The bucket of the default environment in wrangler.toml, as the local S3 endpoint expects it. */
const LOCAL_BUCKET = { name: 'reservation-events', accessKeyId: 'local', secretAccessKey: 'local-development-only' };

/** The path of wrangler dev's S3 endpoint. */
const LOCAL_BUCKETS = '/cdn-cgi/local/r2/s3/';

/** A message from wrangler to its parent process, as JSON text. */
const WranglerMessage = v.pipe(v.string(), v.parseJson(), v.object({ event: v.string(), port: v.number() }));

/** Printed by wrangler before it restarts the runtime. */
const CRASHED = 'The Workers runtime crashed';

export interface LocalOptions {
  /** The port to listen on; defaults to a free one. */
  readonly port?: number;
  /** The folder with the state of Queue and R2. */
  readonly stateDir: string;
  /** Whether to show the log once the service answers; earlier output is kept for an error message. */
  readonly show: boolean;
  /** The port of V8's inspector, for measuring; defaults to a free one. */
  readonly inspectorPort?: number;
  /** Further variables of the Worker. */
  readonly vars?: Readonly<Record<string, string>>;
}

export type LocalService = Awaited<ReturnType<typeof startLocal>>;

/**
 * Starts the service and waits until it answers.
 *
 * @throws When the port is taken, and when wrangler ends before the service answers; the message includes its output.
 */
export async function startLocal(options: LocalOptions) {
  const token = localToken();
  localPseudonymKey();
  if (options.port !== undefined) await assertFree(options.port);
  const child = spawnWrangler(options);
  const queues = countLocalQueues();
  let output = '';
  let ready = false;
  const passOn = (to: NodeJS.WriteStream) => (chunk: Buffer) => {
    if (!ready) output += chunk;
    else if (options.show) to.write(chunk);
  };
  if (child.stdout === null || child.stderr === null) throw new Error('Cannot read the output of wrangler');
  child.stdout.on('data', passOn(process.stdout));
  child.stderr.on('data', passOn(process.stderr));
  const read = (line: string) => {
    queues.read(line);
    if (line.includes(CRASHED)) console.error(describeLost(queues.clear()));
  };
  for (const input of [child.stdout, child.stderr]) createInterface({ input }).on('line', read);
  const ended = new Promise<number>((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
  const origin = await Promise.race([
    originOf(child),
    ended.then((code) => {
      throw new Error(`Cannot start the service: wrangler ended with code ${code}. ${output.trim()}`);
    }),
  ]);
  ready = true;
  return {
    /** Scheme, host and port. */
    origin,
    endpoint: origin + ENDPOINT_PATH,
    token,
    store: localStore(origin),
    /** Resolves with the exit code when the process has ended. */
    ended,
    /** Messages in the queues. They are in memory and lost with the process. */
    get queued() {
      return queues.waiting;
    },
    /** Waits, for a limited time, until the queues are empty. Returns how many messages are left in them. */
    async drain() {
      const deadline = Date.now() + DRAIN_TIMEOUT_MS;
      let quietFrom = Date.now();
      while (isRunning(child) && Date.now() < Math.min(deadline, quietFrom + QUIET_MS)) {
        await sleep(50);
        if (queues.waiting > 0) quietFrom = Date.now();
      }
      return queues.waiting;
    },
    /** Ends the process and waits for its exit. */
    async stop() {
      if (isRunning(child)) child.kill('SIGINT');
      await ended;
    },
    /** Kills the process and everything it has started. */
    kill() {
      if (!isRunning(child)) return;
      if (child.pid === undefined || process.platform === 'win32') child.kill('SIGKILL');
      else process.kill(-child.pid, 'SIGKILL');
    },
  };
}

function isRunning({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null;
}

/** Says how many messages were lost with the queues. */
export function describeLost(messages: number): string {
  return `${messages} message(s) were in the queues, which are in memory on this machine, and are lost`;
}

/** Waits until the service answers, and returns its scheme, host and port. */
async function originOf(child: ChildProcess): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<number>();
  child.on('message', (message) => {
    const { event, port } = v.parse(WranglerMessage, message);
    if (event === 'DEV_SERVER_READY') resolve(port);
  });
  const origin = `http://localhost:${await promise}`;
  // Wrangler's proxy holds requests back until the Worker is built and running.
  await fetch(origin);
  return origin;
}

/** The bucket of a service on this machine; by default, of `npm start`. */
export function localStore(origin = `http://localhost:${DEFAULT_PORT}`): StoreLocation {
  const { name, ...key } = LOCAL_BUCKET;
  return { url: `${origin}${LOCAL_BUCKETS}${name}`, ...key };
}

/** Scheme, host and port of the service that owns a bucket, if it runs on this machine. */
export function localOrigin({ url }: StoreLocation): string | undefined {
  const { origin, pathname } = new URL(url);
  return pathname.startsWith(LOCAL_BUCKETS) ? origin : undefined;
}

/** The development token. If there is none, one is created and written to {@link SECRETS_FILE}. */
export function localToken(): string {
  return localSecret('API_TOKEN', 24);
}

/** The local key of digests, created in the same way. */
export function localPseudonymKey(): string {
  return localSecret('PSEUDONYM_KEY', 32);
}

function localSecret(name: string, bytes: number): string {
  const found = readLocalSecrets()[name]?.trim();
  if (found) return found;
  const secret = randomBytes(bytes).toString('base64url');
  setLocalSecret(name, secret);
  return secret;
}

function spawnWrangler({ port = 0, stateDir, inspectorPort = 0, vars = {} }: LocalOptions) {
  const ports = [`--port=${port}`, `--inspector-port=${inspectorPort}`];
  // This entry point makes the bucket as strict as R2; the deployed one is `main` in wrangler.toml.
  const args = ['dev', 'src/local/worker.ts', '--env=', '--ip=127.0.0.1', ...ports, `--persist-to=${stateDir}`];
  // Counting the messages in the queues needs a log line for each accepted event.
  const more = Object.entries({ LOG_ACCEPTED: 'true', ...vars }).flatMap(([name, value]) => [
    '--var',
    `${name}:${value}`,
  ]);
  const preload = pathToFileURL(join(import.meta.dirname, 'exit-with-parent.ts')).href;
  const home = join(PROJECT, '.wrangler/home');
  return fork(WRANGLER, [...args, '--show-interactive-dev-session=false', ...more], {
    execArgv: ['--import', preload],
    cwd: PROJECT,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    // A process group of its own: Ctrl+C would end it before the queues are empty. (On Windows, that opens a window.)
    detached: process.platform !== 'win32',
    env: {
      ...withoutLoopbackProxy(childEnvironment()),
      // Request.cf would be fetched from the network, and nothing here reads it.
      CLOUDFLARE_CF_FETCH_ENABLED: 'false',
      WRANGLER_HIDE_BANNER: 'true',
      // Wrangler's log and settings go here rather than into a home folder that may be read-only.
      XDG_CONFIG_HOME: join(home, 'config'),
      XDG_CACHE_HOME: join(home, 'cache'),
    },
  });
}

/** The environment, with this machine excluded from the proxy. */
export function withoutLoopbackProxy(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const others = env.no_proxy ?? env.NO_PROXY;
  const list = ['localhost', '127.0.0.1', '::1', ...(others ? [others] : [])].join(',');
  return { ...env, no_proxy: list, NO_PROXY: list };
}

/** @throws When the port is taken; the message suggests a free one. */
async function assertFree(port: number): Promise<void> {
  try {
    await freePort(port);
  } catch (cause) {
    const other = await freePort();
    throw new Error(
      `Cannot start the service: port ${port} is taken, perhaps by another npm start. Stop that, or take a free port: npm start -- --port ${other}`,
      { cause },
    );
  }
}

/** Finds a free port. @throws When a particular `port` is asked for and taken. */
export async function freePort(port = 0): Promise<number> {
  const server = createServer();
  await once(server.listen(port, '127.0.0.1'), 'listening');
  const address = server.address();
  await new Promise((closed) => server.close(closed));
  if (address === null || typeof address !== 'object') throw new Error('Cannot find a free port');
  return address.port;
}
