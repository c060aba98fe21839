/** How long a row takes from the sender to R2 and to a query of the table, with the service on this machine. */

import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { runLocalCron } from '../../src/cli/local-crons.ts';
import { startLocal } from '../../src/cli/local-service.ts';
import { type ObjectStore, openStore } from '../../src/cli/object-store.ts';
import { EVENTS_PARTITIONS, LANDING_PARTITIONS } from '../../src/storage/keys.ts';
import { readWithDuckDb } from '../e2e/read-table.ts';
import { FULL_EVENT } from '../sample.ts';
import { median } from './median.ts';

const EVENTS = 5;
const LOOK_AGAIN_MS = 20;
const MINUTE_MS = 60_000;
/** As in production. */
const PUBLISH_AFTER_MINUTES = '5';

/** From sending an event to its row, in seconds. */
export interface ArrivalResult {
  /** The median of some events that came one by one. */
  readonly landingSeconds: number;
  /** Of the first of them. */
  readonly eventsSeconds: number;
  /** Of the same, until a query of the table returns it. */
  readonly tableSeconds: number;
}

/** Sends events to the service on this machine and looks for their rows. */
export async function benchArrival(
  folder: string,
  progress: (done: number, total: number) => void,
): Promise<ArrivalResult> {
  const service = await startLocal({
    stateDir: join(folder, 'arrival'),
    show: false,
    vars: { PUBLISH_AFTER_MINUTES },
  });
  try {
    const store = openStore(service.store);
    const times: number[] = [];
    const started = performance.now();
    let first: string | undefined;
    for (let event = 1; event <= EVENTS; event += 1) {
      const sent = performance.now();
      const eventId = await post(service.endpoint, service.token);
      first ??= eventId;
      while (!(await holds(store, LANDING_PARTITIONS, eventId))) await sleep(LOOK_AGAIN_MS);
      times.push((performance.now() - sent) / 1_000);
      progress(event, EVENTS + 1);
    }
    let eventsSeconds: number | undefined;
    for (;;) {
      // As the crons do, which nobody runs here.
      await sleep(MINUTE_MS - (Date.now() % MINUTE_MS));
      const minute = Math.floor(Date.now() / MINUTE_MS);
      await runLocalCron(service.origin, 'publish', Date.now());
      const seconds = () => (performance.now() - started) / 1_000;
      if (await holds(store, EVENTS_PARTITIONS, first ?? '')) eventsSeconds ??= seconds();
      if (minute % 2 === 0) continue;
      await runLocalCron(service.origin, 'table', Date.now());
      if (eventsSeconds === undefined) continue;
      const rows = await readWithDuckDb(service.store);
      if (!rows.some(({ event_id }) => event_id === first)) continue;
      progress(EVENTS + 1, EVENTS + 1);
      return { landingSeconds: median(times), eventsSeconds, tableSeconds: seconds() };
    }
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
