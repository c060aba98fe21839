/** The command against a server over a connection of uneven speed: what arrives last is what readers take for the state. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { expect, test } from 'vitest';
import { outcomeOf } from './commands.ts';
import { listen } from './listen.ts';

interface Event {
  readonly ReservationId: string;
  readonly ReservationState: string;
}

const RESERVATIONS = 300;
/** How many requests the command has under way. */
const CONCURRENCY = 8;
const STATES = ['Confirmed', 'Started', 'Processed'] as const;
/** The way to the server takes up to so long, in milliseconds. */
const MAX_DELAY_MS = 40;

test('npm run send keeps the order of the events of each reservation, and sends those of others meanwhile', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'send-'));
  const random = xoroshiro128plus(7);
  const received = new Map<string, string[]>();
  const sizes: number[] = [];
  const allAtOnce = Promise.withResolvers<void>();
  /** Stores an event. Some of a batch are not stored at first, as when one of its messages is lost. */
  function take({ ReservationId, ReservationState }: Event, mayFail: boolean): object {
    if (mayFail && uniformInt(random, 0, 9) === 0) return { status: 503, problem: { type: '/problems/unavailable' } };
    received.set(ReservationId, [...(received.get(ReservationId) ?? []), ReservationState]);
    return { status: 202, event_id: `${ReservationId}-${ReservationState}`, warnings: [] };
  }
  const server = createServer(async (request, response) => {
    const body = (await request.toArray()).join('');
    const lines = body.trimEnd().split('\n');
    sizes.push(lines.length);
    // The first ones are answered when as many as may are under way.
    if (sizes.length === CONCURRENCY) allAtOnce.resolve();
    await allAtOnce.promise;
    await sleep(uniformInt(random, 0, MAX_DELAY_MS));
    if (!request.url?.endsWith('/batch')) {
      const answer = { status: 'success', response: take(JSON.parse(body), false) };
      return response.writeHead(202, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer));
    }
    const results = lines.map((line) => take(JSON.parse(line).event, true));
    return response
      .writeHead(207, { 'Content-Type': 'application/json' })
      .end(JSON.stringify({ status: 'partial', response: { accepted: 0, refused: 0, results } }));
  });
  const url = `${await listen(server)}/api/1.1/wf/reservation`;

  const file = join(folder, 'events.ndjson');
  const lines = Array.from({ length: RESERVATIONS }, (_, at) =>
    STATES.map((state) => `${JSON.stringify({ ReservationId: `r${at}`, ReservationState: state })}\n`).join(''),
  );
  await writeFile(file, lines.join(''));
  const { stdout } = await outcomeOf('send', [file, '--url', url], { env: { API_TOKEN: 'any' } });
  server.close();
  await rm(folder, { recursive: true });

  expect(stdout).toContain(`${RESERVATIONS * STATES.length} accepted, 0 refused`);
  expect(received.size).toBe(RESERVATIONS);
  const wrong = [...received].filter(([, states]) => states.join() !== STATES.join());
  expect(wrong).toEqual([]);
  expect(sizes.length).toBeGreaterThan(CONCURRENCY);
  expect(Math.max(...sizes)).toBeGreaterThan(1);
});
