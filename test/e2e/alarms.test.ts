/** Alarms in the running service, on a real webhook that takes, fails and hangs. */

import { mkdtemp } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runLocalCron } from '../../src/cli/local-crons.ts';
import { type LocalService, startLocal } from '../../src/cli/local-service.ts';
import { createObjectStore, type ObjectStore } from '../../src/cli/object-store.ts';
import { listen } from '../cli/listen.ts';

const START = Date.now();
const DAY = 1_440;

const TAKES = (response: ServerResponse) => response.end('ok');
const FAILS = (response: ServerResponse) => response.writeHead(500).end();
const HANGS = () => undefined;

let answer: (response: ServerResponse) => unknown = TAKES;
const posts: string[] = [];
const webhook = createServer(async (request, response) => {
  posts.push(JSON.parse(await text(request)).text);
  answer(response);
});

let service: LocalService;
let store: ObjectStore;

beforeAll(async () => {
  const stateDir = await mkdtemp(join(tmpdir(), 'reservation-events-'));
  const vars = { ALERT_WEBHOOK: `${await listen(webhook)}/hook` };
  service = await startLocal({ stateDir, show: false, vars });
  store = createObjectStore(service.store);
});

afterAll(async () => {
  await service.stop();
  webhook.closeAllConnections();
  webhook.close();
});

/** Runs the cron once, as if it were so many minutes later, and returns what was posted meanwhile. */
async function runAt(minute: number): Promise<string[]> {
  posts.length = 0;
  // A run that fails is what some of these are about.
  await runLocalCron(service.origin, 'publish', START + minute * 60_000).catch(() => undefined);
  return posts.map((post) => post.split('\n')[1] ?? '');
}

async function lastRun(): Promise<{ ended: string; started_at: string }> {
  return JSON.parse(new TextDecoder().decode(await store.get('publish/last-run.json')));
}

// The webhook that hangs is waited for, so that this is for the long run.
test.runIf(process.env.THOROUGH === '1')(
  'a publisher that fails is told once and daily, and that it is over, however the webhook behaves',
  async () => {
    // What no run of the publisher has written: each run fails until it is taken away.
    await store.create('publish/lease.json', 'broken');
    expect(await runAt(0)).toEqual([]);
    expect(await lastRun()).toMatchObject({ ended: 'failed' });
    expect(await runAt(1)).toEqual([]);
    expect(await runAt(2)).toEqual([expect.stringMatching(/^RAISED published: The first runs of the publisher fail/)]);
    expect(await runAt(3)).toEqual([]);
    expect(await runAt(DAY)).toEqual([]);
    expect(await runAt(DAY + 2)).toEqual([expect.stringMatching(/^STILL RAISED published, for 24 hours: /)]);
    expect(await runAt(DAY + 3)).toEqual([]);

    await store.delete('publish/lease.json');
    expect(await runAt(DAY + 4)).toEqual([]);
    expect(await lastRun()).toMatchObject({ ended: 'done' });
    // With nothing to do, only every third run looks at everything.
    expect(await runAt(DAY + 5)).toEqual([]);
    expect(await runAt(DAY + 7)).toEqual([]);
    const cleared = 'CLEARED published, after 24 hours';
    for (const [minute, behaviour] of [
      [10, HANGS],
      [13, FAILS],
      [16, TAKES],
    ] as const) {
      answer = behaviour;
      expect(await runAt(DAY + minute)).toEqual([cleared]);
      // Publishing went on all the same.
      const started_at = new Date(START + (DAY + minute) * 60_000).toISOString();
      expect(await lastRun()).toMatchObject({ ended: 'done', started_at });
    }
    expect(await runAt(DAY + 19)).toEqual([]);
  },
);
