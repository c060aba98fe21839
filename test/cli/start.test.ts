/** `npm start` as it is typed, in a folder whose path needs care, and every way in which it can be ended. */

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { freePort } from '../../src/cli/local-service.ts';
import { PROJECT } from '../../src/cli/project.ts';
import { SMALL_EVENT } from '../sample.ts';

const TOKEN = 'a "token" # in quotes';
/** Bundling and starting take 5 s on two idle cores. */
const START_TIMEOUT_MS = 120_000;
const THOROUGH = process.env.THOROUGH === '1';
vi.setConfig({ testTimeout: 2 * START_TIMEOUT_MS });

let parent: string;
let folder: string;
let npm: ChildProcess | undefined;

beforeAll(() => {
  parent = mkdtempSync(join(tmpdir(), 'start-'));
  folder = join(parent, "ü # %41 's");
  mkdirSync(folder);
  for (const name of ['src', 'wrangler.toml', 'package.json']) {
    cpSync(join(PROJECT, name), join(folder, name), { recursive: true });
  }
  symlinkSync(join(PROJECT, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, '.dev.vars'), `# mine\nexport API_TOKEN = '${TOKEN}' # the token\n`);
});

afterEach(() => {
  if (npm?.pid !== undefined && npm.exitCode === null && npm.signalCode === null) process.kill(-npm.pid, 'SIGKILL');
});

afterAll(() => rmSync(parent, { recursive: true, maxRetries: 5 }));

/** Starts it in a process group of its own, as a terminal does. */
function start(...args: string[]) {
  const proxy = 'http://127.0.0.1:9';
  const child = spawn('npm', ['start', '--', ...args], {
    cwd: folder,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      // No folder can be made there.
      HOME: '/dev/null',
      NODE_ENV: 'production',
      NODE_USE_ENV_PROXY: '1',
      HTTP_PROXY: proxy,
      http_proxy: proxy,
    },
  });
  npm = child;
  const run = { child, output: '', ended: once(child, 'close') };
  child.stdout.on('data', (chunk) => {
    run.output += chunk;
  });
  child.stderr.on('data', (chunk) => {
    run.output += chunk;
  });
  return run;
}

/** Starts it on a free port and sends it some events. */
async function startAndSend(events: number) {
  const port = await freePort();
  const run = start('--port', String(port));
  await vi.waitFor(() => expect(run.output).toContain('The log:'), START_TIMEOUT_MS);
  const send = async () => {
    const init = { method: 'POST', headers: { Authentication: `Bearer ${TOKEN}` }, body: JSON.stringify(SMALL_EVENT) };
    return (await fetch(`http://127.0.0.1:${port}/api/1.1/wf/reservation`, init)).status;
  };
  const statuses = await Promise.all(Array.from({ length: events }, send));
  return { run, port, statuses };
}

/** Waits until no process is left that was started for a port. */
async function gone(port: number): Promise<void> {
  const mine = new RegExp(`--port[ =]${port}\\b`);
  await vi.waitFor(() => expect(execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })).not.toMatch(mine), 30_000);
  await freePort(port);
}

/** Each start takes seconds, so that `npm test` is content with the first way. */
const DRAINING_ENDS: [string, (child: ChildProcess) => void][] = [
  ['Ctrl+C', ({ pid }) => pid !== undefined && process.kill(-pid, 'SIGINT')],
  ['SIGTERM to npm', (child) => child.kill('SIGTERM')],
];

test.each(THOROUGH ? DRAINING_ENDS : DRAINING_ENDS.slice(0, 1))(
  '`npm start` brings what was accepted to R2 before it ends by %s',
  async (_, end) => {
    const { run, port, statuses } = await startAndSend(5);
    expect(statuses).toEqual([202, 202, 202, 202, 202]);
    end(run.child);
    await run.ended;
    await gone(port);
    const landed = Array.from(run.output.matchAll(/"landed":(\d+)/g), ([, rows]) => Number(rows));
    expect(
      landed.reduce((sum, rows) => sum + rows, 0),
      run.output,
    ).toBe(5);
  },
);

test.runIf(THOROUGH).each<[string, (child: ChildProcess, port: number) => unknown]>([
  ['it is killed', ({ pid }) => pid !== undefined && process.kill(-pid, 'SIGKILL')],
  [
    'nobody reads the log',
    (child, port) => {
      child.stdout?.destroy();
      return fetch(`http://127.0.0.1:${port}/healthz`);
    },
  ],
])('`npm start` leaves nothing running when %s', async (_, end) => {
  const { run, port } = await startAndSend(1);
  await end(run.child, port);
  await gone(port);
});

test('`npm start` names a free port when its own is taken', async () => {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const run = start('--port', String(port));
  expect(await run.ended).toEqual([1, null]);
  server.close();
  expect(run.output).toMatch(new RegExp(`port ${port} is taken.* npm start -- --port \\d+`));
});

test.each([
  [['--port', 'http'], 'give a number from 1 to 65535'],
  [['--host', 'x'], "Unknown option '--host'"],
  [['--help'], 'Usage: npm start'],
])('`npm start` with %j says how it is used', async (args, message) => {
  const run = start(...args);
  await run.ended;
  expect(run.output).toContain(message);
});
