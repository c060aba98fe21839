/** How long a row takes from the sender to R2 and to a query of the table, with the crons of production. */

import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { runLocalCron } from '../../src/cli/local-crons.ts';
import { startLocal } from '../../src/cli/local-service.ts';
import { createObjectStore, type ObjectStore } from '../../src/cli/object-store.ts';
import { formatTable } from '../../src/cli/table.ts';
import { EVENTS_PARTITIONS, LANDING_PARTITIONS } from '../../src/storage/keys.ts';
import { readWithDuckDb } from '../e2e/read-table.ts';
import { FULL_EVENT } from '../sample.ts';

const LOOK_AGAIN_MS = 20;
const MINUTE_MS = 60_000;

/** Sends an event to the local service, runs its crons on the minute, and prints when the row arrived where. */
export async function benchArrival(folder: string): Promise<void> {
  const vars = { PUBLISH_AFTER_MINUTES: '5' };
  const service = await startLocal({ stateDir: join(folder, 'arrival'), show: false, vars });
  try {
    const store = createObjectStore(service.store);
    const started = performance.now();
    const seconds = () => Math.round((performance.now() - started) / 100) / 10;
    const eventId = await post(service.endpoint, service.token);
    while (!(await holds(store, LANDING_PARTITIONS, eventId))) await sleep(LOOK_AGAIN_MS);
    const landed = seconds();
    let published: number | undefined;
    for (;;) {
      await sleep(MINUTE_MS - (Date.now() % MINUTE_MS));
      const isOddMinute = Math.floor(Date.now() / MINUTE_MS) % 2 === 1;
      await runLocalCron(service.origin, 'publish', Date.now());
      if (await holds(store, EVENTS_PARTITIONS, eventId)) published ??= seconds();
      if (isOddMinute) await runLocalCron(service.origin, 'table', Date.now());
      const rows = isOddMinute && published !== undefined ? await readWithDuckDb(service.store) : [];
      if (rows.some(({ event_id }) => event_id === eventId)) break;
    }
    console.log(formatTable([{ 'in landing/, s': landed, 'in events/, s': published, 'in the table, s': seconds() }]));
  } finally {
    await service.stop();
  }
}

async function post(endpoint: string, token: string): Promise<string> {
  const headers = { Authentication: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const response = await fetch(endpoint, { method: 'POST', headers, body: JSON.stringify(FULL_EVENT) });
  if (response.status !== 202) throw new Error(`Cannot measure: the service answered ${response.status}`);
  const { response: answer } = (await response.json()) as { response: { event_id: string } };
  return answer.event_id;
}

async function holds(store: ObjectStore, prefix: string, eventId: string): Promise<boolean> {
  for await (const { key } of store.list(prefix)) {
    const body = await store.get(key);
    const bytes = body !== undefined && key.endsWith('.gz') ? gunzipSync(body) : body;
    if (bytes !== undefined && new TextDecoder().decode(bytes).includes(eventId)) return true;
  }
  return false;
}
