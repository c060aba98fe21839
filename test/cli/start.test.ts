/** `npm start` as it is typed, in a folder whose path needs care, and every way in which it can be ended. */

import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { freePort } from '../../src/cli/local-service.ts';
import { PROJECT } from '../../src/cli/project.ts';
import { SMALL_EVENT } from '../sample.ts';
import { listen } from './listen.ts';

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

/** What runs on this machine. */
function processes() {
  const lines = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' }).trim().split('\n');
  return lines.map((line) => {
    const [pid, ppid, ...args] = line.trim().split(/ +/);
    return { pid: Number(pid), ppid: Number(ppid), args: args.join(' ') };
  });
}

/** Sends a signal to the process group, as a terminal does. */
function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid !== undefined) process.kill(-pid, signal);
}

/** Each start takes seconds, so that `npm test` is content with the first way. */
const DRAINING_ENDS: [string, (child: ChildProcess) => void][] = [
  ['Ctrl+C', (child) => signalGroup(child, 'SIGINT')],
  ['SIGTERM to npm', (child) => child.kill('SIGTERM')],
  ['SIGINT to npm', (child) => child.kill('SIGINT')],
  ['SIGKILL to npm', (child) => child.kill('SIGKILL')],
];

test.each(THOROUGH ? DRAINING_ENDS : DRAINING_ENDS.slice(0, 1))(
  '`npm start` brings what was accepted to R2 before it ends by %s',
  async (how, end) => {
    const { run, port, statuses } = await startAndSend(5);
    expect(statuses).toEqual([202, 202, 202, 202, 202]);
    const exit = once(run.child, 'exit');
    end(run.child);
    await exit;
    if (how !== 'SIGKILL to npm') await freePort(port);
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
  ['it is killed', (child) => signalGroup(child, 'SIGKILL')],
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

/** Starts it with a bucket that takes nothing, so that three events stay in the queue. */
async function startAndFillQueue() {
  const buckets = join(folder, '.wrangler/state/v3/r2');
  rmSync(buckets, { recursive: true, force: true });
  mkdirSync(buckets, { recursive: true });
  writeFileSync(join(buckets, 'reservation-events'), '');
  const { run, port, statuses } = await startAndSend(3);
  expect(statuses).toEqual([202, 202, 202]);
  onTestFinished(() => rmSync(buckets, { recursive: true, maxRetries: 5 }));
  return { run, port };
}

test('`npm start` refuses a second one in its folder, and stops at once when it is told twice', async () => {
  const { run, port } = await startAndFillQueue();
  const second = start('--port', String(await freePort()));
  expect(await second.ended).toEqual([1, null]);
  npm = run.child;
  const holder = /process (\d+) is at work there/.exec(second.output)?.[1];
  expect(processes().find(({ pid }) => pid === Number(holder))?.args, second.output).toMatch(/start\.ts --port/);

  signalGroup(run.child, 'SIGINT');
  await vi.waitFor(() => expect(run.output).toContain('Ctrl+C again'), START_TIMEOUT_MS);
  const told = performance.now();
  signalGroup(run.child, 'SIGINT');
  await run.ended;
  // A queue that does not empty gets 15 s after the first.
  expect(performance.now() - told).toBeLessThan(7_500);
  await gone(port);
  expect(run.output).toContain('3 message(s) were in the queues, which are in memory on this machine, and are lost');
});

test('`npm start` says what is lost when the runtime crashes, and when it does not empty its queue', async () => {
  const { run, port } = await startAndFillQueue();
  const front = processes().find(({ args }) => args.includes(`entry=127.0.0.1:${port} `));
  const runtime = processes().find(
    ({ pid, ppid, args }) => ppid === front?.ppid && pid !== front.pid && args.includes('workerd serve'),
  );
  if (runtime === undefined) throw new Error('Cannot find the runtime');
  process.kill(runtime.pid, 'SIGKILL');
  await vi.waitFor(() => expect(run.output).toContain('3 message(s) were in the queues'), START_TIMEOUT_MS);
  signalGroup(run.child, 'SIGINT');
  await run.ended;
  await gone(port);
});

test('`npm start` and `npm run demo` say what is missing where nothing is installed', async () => {
  const bare = join(parent, 'bare');
  mkdirSync(bare);
  for (const name of ['src', 'package.json']) cpSync(join(PROJECT, name), join(bare, name), { recursive: true });
  for (const script of ['start', 'demo']) {
    const said = promisify(execFile)('npm', ['run', script], { cwd: bare });
    await expect(said).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('run npm ci first') });
  }
});

test.each([['--help'], ['--x']])('`npm run demo` with %s says how it is used', async (option) => {
  const { stdout, stderr } = await promisify(execFile)('npm', ['run', 'demo', '--', option], { cwd: folder }).catch(
    (error: { stdout: string; stderr: string }) => error,
  );
  expect(stdout + stderr).toContain('Usage: npm run demo');
  expect(stdout).not.toContain('Starting');
});

test('`npm start` names a free port when its own is taken', async () => {
  const server = createServer();
  const { port } = new URL(await listen(server));
  const run = start('--port', port);
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
