/** The sender as somebody types it, against the running service behind a network that fails at random. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { en, Faker } from '@faker-js/faker';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { generateStays } from '../../src/cli/generate-stays.ts';
import type { LocalService } from '../../src/cli/local-service.ts';
import { createObjectStore } from '../../src/cli/object-store.ts';
import { sharedService } from '../e2e/shared-service.ts';
import { outcomeOf, pathOf } from './commands.ts';
import { listen } from './listen.ts';

let service: LocalService;
let folder: string;
let proxy: Server;
let url: string;

/** How often the service has accepted each Idempotency-Key, whether or not the sender was told. */
const accepted = new Map<string, number>();
/** How fast the line is that all requests share. */
let bytesPerSecond = Number.POSITIVE_INFINITY;
let line = Promise.resolve();
/** Decides what happens to each request. */
let fate: () => Fate = () => 'pass';

type Fate = 'pass' | 'drop before' | 'drop after' | 'refuse 503' | 'refuse 429' | 'garbage';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'send-'));
  service = await sharedService();
  proxy = createServer(async (request, response) => {
    const sent = Buffer.concat(await request.toArray());
    line = line.then(() => sleep((sent.length / bytesPerSecond) * 1_000));
    await line;
    const chosen = fate();
    if (chosen === 'drop before') return request.socket.destroy();
    if (chosen === 'refuse 503') return response.writeHead(503, { 'Retry-After': '0' }).end('{}');
    if (chosen === 'refuse 429') return response.writeHead(429, { 'Retry-After': new Date().toUTCString() }).end();
    if (chosen === 'garbage')
      return response.writeHead(502, { 'Content-Type': 'text/html' }).end('<h1>Bad gateway</h1>');
    const answer = await fetch(service.origin + request.url, {
      method: 'POST',
      headers: {
        Authentication: String(request.headers.authentication),
        'Idempotency-Key': String(request.headers['idempotency-key']),
      },
      body: sent,
    });
    const text = await answer.text();
    for (const key of acceptedKeys(request, sent.toString(), text)) accepted.set(key, (accepted.get(key) ?? 0) + 1);
    if (chosen === 'drop after') return request.socket.destroy();
    return response.writeHead(answer.status, { 'Content-Type': answer.headers.get('Content-Type') ?? '' }).end(text);
  });
  url = `${await listen(proxy)}/api/1.1/wf/reservation`;
});

afterAll(async () => {
  proxy.close();
  await rm(folder, { recursive: true });
});

beforeEach(() => {
  accepted.clear();
  fate = () => 'pass';
  bytesPerSecond = Number.POSITIVE_INFINITY;
});

/** The keys of the events that an answer says are stored. */
function acceptedKeys({ url: path = '', headers }: IncomingMessage, sent: string, answer: string): string[] {
  const { response } = JSON.parse(answer);
  if (!path.includes('/batch')) return response?.event_id ? [String(headers['idempotency-key'])] : [];
  const results: readonly { readonly event_id?: string }[] = response?.results ?? [];
  const lines = sent.trimEnd().split('\n');
  return lines.filter((_, at) => results[at]?.event_id).map((line) => JSON.parse(line).idempotency_key);
}

function start(...args: string[]): { child: ChildProcess; ended: Promise<{ code: number | null; output: string }> } {
  const child = spawn(process.execPath, [pathOf('send'), '--url', url, ...args], {
    env: { ...process.env, API_TOKEN: service.token },
  });
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (output += chunk));
  const ended = new Promise<{ code: number | null; output: string }>((resolve) => {
    child.once('close', (code) => resolve({ code, output }));
  });
  return { child, ended };
}

const send = (...args: string[]) => start(...args).ended;

async function writeEvents(name: string, count: number, seed: number): Promise<string> {
  const stays = generateStays(seed);
  const file = join(folder, name);
  await writeFile(file, Array.from({ length: count }, () => `${JSON.stringify(stays.next().value)}\n`).join(''));
  return file;
}

/** How often each of the accepted keys is in R2, once as many rows are there. */
async function stored(): Promise<Map<string, number>> {
  const store = createObjectStore(service.store);
  const expected = accepted.values().reduce((sum, times) => sum + times, 0);
  return vi.waitFor(async () => {
    const counts = new Map<string, number>();
    for await (const { key } of store.list('landing/')) {
      for (const line of new TextDecoder()
        .decode(await store.get(key))
        .trimEnd()
        .split('\n')) {
        const { idempotency_key: name } = JSON.parse(line);
        if (accepted.has(name)) counts.set(name, (counts.get(name) ?? 0) + 1);
      }
    }
    expect(counts.values().reduce((sum, times) => sum + times, 0)).toBeGreaterThanOrEqual(expected);
    return counts;
  }, 30_000);
}

test.each([{ seed: 11 }, { seed: 17 }])(
  'every event is in R2 exactly as often as the service has accepted it, whatever the network does (seed $seed)',
  async ({ seed }) => {
    const file = await writeEvents(`flaky-${seed}.ndjson`, 60, seed);
    const random = new Faker({ locale: en, seed: 5 });
    const fates: readonly Fate[] = ['drop before', 'drop after', 'refuse 503', 'refuse 429', 'garbage'];
    fate = () => (random.datatype.boolean(0.7) ? 'pass' : random.helpers.arrayElement(fates));
    const { code, output } = await send(file);
    expect(code, output).toBe(0);
    expect(output).toContain('60 accepted, 0 refused, 0 done before, 0 still to send');
    expect(accepted.size).toBe(60);
    expect(await stored()).toEqual(accepted);
  },
  120_000,
);

test('a run that is interrupted goes on where it stopped, and a third one sends nothing', async () => {
  const file = await writeEvents('interrupted.ndjson', 60, 12);
  let passed = 0;
  const first = start(file);
  fate = () => {
    passed += 1;
    if (passed === 4) first.child.kill('SIGINT');
    return 'pass';
  };
  const { code, output } = await first.ended;
  expect(code).toBe(130);
  expect(output).toContain('Interrupted; run the same command again');
  expect(accepted.size).toBeLessThan(60);

  expect((await send(file)).output).toMatch(/, 0 refused, [1-9]\d* done before, 0 still to send/);
  expect(accepted.size).toBe(60);
  expect([...accepted.values()].every((times) => times === 1)).toBe(true);
  expect((await send(file)).output).toContain('0 accepted, 0 refused, 60 done before, 0 still to send');
  expect(await stored()).toEqual(accepted);
});

test('a second run at the same time is refused, and names the first', async () => {
  const file = await writeEvents('twice.ndjson', 3, 22);
  const { promise, resolve: release } = Promise.withResolvers<void>();
  line = promise;
  const first = start(file);
  await once(proxy, 'request');
  const second = await send(file);
  release();
  expect(second.output).toContain(`process ${first.child.pid} is at work there`);
  expect(second.code).toBe(1);
  expect((await first.ended).output).toContain('3 accepted, 0 refused, 0 done before');
  expect([...accepted.values()]).toEqual([1, 1, 1]);
});

test('refused events are counted by fault, and kept as they were', async () => {
  const file = await writeEvents('refused.ndjson', 3, 13);
  const [good = ''] = (await readFile(file, 'utf8')).split('\n');
  const bad = good.replace(/"EventType":"\w+"/, '"EventType":"Moved"');
  await writeFile(file, `${good}\n${bad}\n{"not json\n${bad.replace('"Moved"', '7')}\n`);
  const { code, output } = await send(file);
  expect(code).toBe(1);
  expect(output).toMatch(/EventType:not_allowed\D+2\D/);
  expect(output).toContain('1 accepted, 3 refused');
  const [, refusedFile = ''] = /Refused +(\S+)/.exec(output) ?? [];
  const refused = (await readFile(refusedFile, 'utf8')).trimEnd().split('\n');
  expect(refused.toSorted()).toEqual([bad, '{"not json', bad.replace('"Moved"', '7')].toSorted());
});

test('a check says what would be accepted, and stores nothing', async () => {
  const file = await writeEvents('check.ndjson', 3, 15);
  const { code, output } = await send(file, '--url', `${url}?check`);
  expect(output).toContain('3 would be accepted, nothing is stored, 0 refused, 0 done before, 0 still to send');
  expect(code).toBe(0);
  const again = await send(file, '--url', `${url}?check`);
  expect(again.output).toContain('0 would be accepted, nothing is stored, 0 refused, 3 done before');
  expect(accepted.size).toBe(0);
});

test('a file without events is said to have none, and no file of answers is named or made', async () => {
  const file = await writeEvents('none.ndjson', 0, 20);
  const { code, output } = await send(file);
  expect(output).toBe(`There are no events in ${file}: nothing is sent\n`);
  expect(code).toBe(0);
});

test('a folder in place of a file is refused', async () => {
  const { code, output } = await send(folder);
  expect(output).toContain(`Cannot read ${folder}: it is a folder; name one file in it`);
  expect(code).toBe(1);
});

test('a wrong token ends the run at once', async () => {
  const file = await writeEvents('token.ndjson', 50, 14);
  const { stdout, stderr } = await outcomeOf('send', [file, '--url', url], {
    env: { API_TOKEN: `${service.token}x` },
  });
  expect(stderr).toContain('it answers 401; set API_TOKEN to a token of that service');
  expect(stdout).toContain('50 still to send');
});

test('a port where nothing listens ends the run at once', async () => {
  const file = await writeEvents('nobody.ndjson', 3, 18);
  const closed = createServer();
  const nowhere = await listen(closed);
  await new Promise((resolve) => closed.close(resolve));
  const { code, output } = await send(file, '--url', nowhere);
  expect(code).toBe(1);
  expect(output).toContain('it cannot be reached; check that the service runs there');
  expect(output).toContain('0 accepted, 0 refused, 0 done before, 3 still to send');
  expect(output).not.toContain('trying again');
});

test('an address to which no request can be made ends the run at once', async () => {
  const file = await writeEvents('port.ndjson', 3, 20);
  const { code, output } = await send(file, '--url', 'http://localhost:9/');
  expect(code).toBe(1);
  expect(output).toContain('Cannot send to http://localhost:9: no request can be made there (bad port); give another');
  expect(output).toContain('0 accepted, 0 refused, 0 done before, 3 still to send');
  expect(output).not.toContain('trying again');
});

test('over a slow line every event is stored once', async () => {
  const file = await writeEvents('slow.ndjson', 400, 19);
  // More than ten seconds for all of it; a request is heard when its last byte has come.
  bytesPerSecond = 30_000;
  const { code, output } = await send(file);
  expect(code, output).toBe(0);
  expect(output).toContain('400 accepted, 0 refused, 0 done before, 0 still to send');
  expect(accepted.size).toBe(400);
  expect([...accepted.values()].every((times) => times === 1)).toBe(true);
}, 120_000);

test('events whose answer was lost are counted as not known, and sent alone', async () => {
  const file = await writeEvents('lost.ndjson', 30, 20);
  const first = start(file);
  let requests = 0;
  fate = () => {
    requests += 1;
    // The first after those that are under way at once.
    if (requests === 9) first.child.kill('SIGINT');
    return 'drop after';
  };
  const { output } = await first.ended;
  expect(output).toMatch(/0 accepted, 0 refused, [1-9]\d* unknown: they were sent, and no answer came, 0 done before/);
  // The batches, and one event alone of each lane at most.
  const again = [...accepted.values()].filter((times) => times > 1);
  expect(new Set(again)).toEqual(new Set([2]));
  expect(again.length).toBeLessThanOrEqual(8);
});

test('a token that no header can hold is refused before anything is sent', async () => {
  const file = await writeEvents('accents.ndjson', 1, 21);
  const { stderr } = await outcomeOf('send', [file, '--url', url], { env: { API_TOKEN: 'schlüssel' } });
  expect(stderr).toContain('Cannot use the token: it holds characters that no header can');
  expect(accepted.size).toBe(0);
});
