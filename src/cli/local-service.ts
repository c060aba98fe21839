/** The Worker on this machine: wrangler dev as a child process, with Queue and R2 simulated. */

import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { ENDPOINT_PATH } from '../contract/endpoint.ts';
import { SECRETS_FILE, setLocalSecret } from './local-secrets.ts';
import type { StoreLocation } from './object-store.ts';
import { PROJECT } from './project.ts';
import { WRANGLER } from './wrangler.ts';

/** The port of `npm start`. */
export const DEFAULT_PORT = 8787;

/** The bucket of the default environment in wrangler.toml, as the local S3 endpoint knows it. */
const LOCAL_BUCKET = { name: 'reservation-events', accessKeyId: 'local', secretAccessKey: 'local-development-only' };

/** How to start the service. */
export interface LocalOptions {
  /** The port to listen on; a free one when it is not given. */
  readonly port?: number;
  /** The folder that keeps Queue and R2. */
  readonly stateDir: string;
  /** Whether the log is shown from when the service answers; what wrangler says before is kept for an error message. */
  readonly show: boolean;
  /** The port of V8's inspector, for measuring; any free one when it is not given. */
  readonly inspectorPort?: number;
  /** Further variables of the Worker. */
  readonly vars?: Readonly<Record<string, string>>;
}

/** A running service. */
export interface LocalService {
  /** Scheme, host and port. */
  readonly origin: string;
  readonly endpoint: string;
  readonly token: string;
  readonly store: StoreLocation;
  /** Resolves when the process ends by itself, to its exit code. */
  readonly ended: Promise<number>;
  /** Ends the process and waits for it. */
  stop(): Promise<void>;
}

/**
 * Starts the service and waits until it answers.
 *
 * @throws When the port is taken, and when wrangler ends before it answers; the message holds what it printed.
 */
export async function startLocal(options: LocalOptions): Promise<LocalService> {
  const token = localToken();
  const port = await freePort(options.port);
  const origin = `http://localhost:${port}`;
  const child = spawnWrangler(port, options);
  let output = '';
  let ready = false;
  const passOn = (to: NodeJS.WriteStream) => (chunk: Buffer) => {
    if (!ready) output += chunk;
    else if (options.show) to.write(chunk);
  };
  child.stdout.on('data', passOn(process.stdout));
  child.stderr.on('data', passOn(process.stderr));
  const ended = new Promise<number>((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
  while (!(await answers(origin))) {
    if (child.exitCode !== null || child.signalCode !== null) {
      throw new Error(`Cannot start the service: wrangler ended with code ${await ended}. ${output.trim()}`);
    }
    await sleep(200);
  }
  ready = true;
  return {
    origin,
    endpoint: origin + ENDPOINT_PATH,
    token,
    store: localStore(origin),
    ended,
    async stop() {
      child.kill('SIGINT');
      await ended;
    },
  };
}

/** The bucket of a service that runs on this machine; of `npm start`, unless `origin` says otherwise. */
export function localStore(origin = `http://localhost:${DEFAULT_PORT}`): StoreLocation {
  const { name, ...key } = LOCAL_BUCKET;
  return { url: `${origin}/cdn-cgi/local/r2/s3/${name}`, ...key };
}

/** The development token; one is made and written to {@link SECRETS_FILE} when there is none. */
export function localToken(): string {
  const known = existsSync(SECRETS_FILE) ? readFileSync(SECRETS_FILE, 'utf8') : '';
  const found = /^\s*API_TOKEN\s*=\s*"?([^"\n]*?)"?\s*$/m.exec(known)?.[1];
  if (found !== undefined && found !== '') return found;
  const token = randomBytes(24).toString('base64url');
  setLocalSecret('API_TOKEN', token);
  return token;
}

function spawnWrangler(port: number, { stateDir, inspectorPort = 0, vars = {} }: LocalOptions) {
  const ports = [`--port=${port}`, `--inspector-port=${inspectorPort}`];
  const args = ['dev', '--env=', '--ip=127.0.0.1', ...ports, `--persist-to=${stateDir}`];
  const more = Object.entries(vars).flatMap(([name, value]) => ['--var', `${name}:${value}`]);
  return spawn(process.execPath, [WRANGLER, ...args, '--show-interactive-dev-session=false', ...more], {
    cwd: PROJECT,
    stdio: ['ignore', 'pipe', 'pipe'],
    // Request.cf would be fetched from the network; nothing here reads it.
    env: { ...process.env, CLOUDFLARE_CF_FETCH_ENABLED: 'false', WRANGLER_HIDE_BANNER: 'true' },
  });
}

/** Whether something listens, whatever it answers; a refused connection is the expected other case. */
async function answers(origin: string): Promise<boolean> {
  return fetch(origin).then(
    () => true,
    () => false,
  );
}

/** A port that nobody listens on. @throws When it is `port` that is asked for and it is taken. */
export function freePort(port = 0): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (cause) =>
      reject(
        new Error(
          `Cannot start the service: something listens on port ${port}, perhaps another npm start; stop it first`,
          { cause },
        ),
      ),
    );
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      server.close(() =>
        address !== null && typeof address === 'object'
          ? resolve(address.port)
          : reject(new Error('Cannot find a free port')),
      );
    });
  });
}
