/** How long a row takes from the sender to R2, with the service on this machine. */

import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { runLocalCron } from '../../src/cli/local-crons.ts';
import { startLocal } from '../../src/cli/local-service.ts';
import { type ObjectStore, openStore } from '../../src/cli/object-store.ts';
import { EVENTS_PARTITIONS, LANDING_PARTITIONS } from '../../src/storage/keys.ts';
import { FULL_EVENT } from '../sample.ts';
import { median } from './median.ts';

const EVENTS = 5;
const LOOK_AGAIN_MS = 20;
const MINUTE_MS = 60_000;
/** As soon as it can be set. */
const PUBLISH_AFTER_MINUTES = '1';

/** From sending an event to its row, in seconds. */
export interface ArrivalResult {
  /** The median of some events that came one by one. */
  readonly landingSeconds: number;
  /** Of the first of them. */
  readonly eventsSeconds: number;
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
    while (first !== undefined && !(await holds(store, EVENTS_PARTITIONS, first))) {
      // As the cron does, which nobody runs here.
      await sleep(MINUTE_MS - (Date.now() % MINUTE_MS));
      await runLocalCron(service.origin, 'publish', Date.now());
    }
    progress(EVENTS + 1, EVENTS + 1);
    return { landingSeconds: median(times), eventsSeconds: (performance.now() - started) / 1_000 };
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
