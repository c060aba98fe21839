/** Assumptions about the way of events through the service: accepted, landed, published, counted. */

import { gunzipSync } from 'node:zlib';
import { BATCH_PATH, ENDPOINT_PATH } from '../../contract/endpoint.ts';
import { currentSnapshot, type Table } from '../../storage/iceberg/table.ts';
import { EVENTS_PARTITIONS, LANDING_PARTITIONS } from '../../storage/keys.ts';
import { verify } from '../events/verify.ts';
import { generateStays, type WireEvent } from '../generate-stays.ts';
import { mapWithProgress } from '../map-with-progress.ts';
import type { ObjectStore } from '../object-store.ts';
import { postWithTimeout } from '../post-with-timeout.ts';
import { type Assumption, type Rehearsal, until, verdict } from './rehearsal.ts';
import { askCatalog } from './tokens.ts';

/** Marks the rows as a test. */
const MARK = 'rehearsal';

/** How long a sender waits for an answer, in milliseconds. */
const ANSWER_MS = 5_000;

const AT_ONCE = 20;
const BATCH_EVENTS = 250;

const MINUTE_MS = 60_000;

/** An address that no real guest has; this guest is erased later. */
export const REHEARSED_EMAIL = 'guest@rehearsal.invalid';

export const singles: Assumption = {
  says: 'Every event that is sent alone is answered 202 within 5 seconds',
  async ask(rehearsal) {
    const durations: number[] = [];
    await mapWithProgress(
      eventsOf(rehearsal, 1),
      async (event) => {
        const started = performance.now();
        const answer = await post(rehearsal, ENDPOINT_PATH, JSON.stringify(event));
        durations.push(performance.now() - started);
        if (answer.status === 202) addIds(await answer.text(), rehearsal);
        if (durations.length % AT_ONCE === 0) await readQueues(rehearsal);
      },
      { label: 'Sending', concurrency: AT_ONCE, signal: rehearsal.signal },
    );
    durations.sort((a, b) => a - b);
    const [median = 0, last = 0] = [durations[durations.length >> 1], durations.at(-1)];
    const all = rehearsal.accepted.size === durations.length;
    return verdict(
      all && last < ANSWER_MS,
      `${rehearsal.accepted.size} of ${durations.length}; median ${Math.round(median)} ms, slowest ${Math.round(last)} ms`,
    );
  },
};

export const batches: Assumption = {
  says: 'Every event of a batch is accepted',
  async ask(rehearsal) {
    const before = rehearsal.accepted.size;
    const events = eventsOf(rehearsal, 2);
    for (let at = 0; at < events.length; at += BATCH_EVENTS) {
      const batch = events.slice(at, at + BATCH_EVENTS);
      const answer = await post(rehearsal, BATCH_PATH, batch.map((event) => JSON.stringify(event)).join('\n'));
      addIds(await answer.text(), rehearsal);
      await readQueues(rehearsal);
    }
    const accepted = rehearsal.accepted.size - before;
    return verdict(accepted === events.length, `${accepted} of ${events.length}`);
  },
};

export const landed: Assumption = {
  says: 'Every accepted event is in landing/ or events/ within two minutes',
  async ask(rehearsal) {
    const { accepted, store, signal } = rehearsal;
    let there = new Set<string>();
    const isComplete = async () => {
      await readQueues(rehearsal);
      // In this order: an event that is published meanwhile moves to events/.
      there = new Set([...(await idsUnder(store, LANDING_PARTITIONS)), ...(await idsUnder(store, EVENTS_PARTITIONS))]);
      return accepted.isSubsetOf(there);
    };
    const { isSo, after } = await until(isComplete, 2 * MINUTE_MS, signal);
    return verdict(isSo, `${accepted.intersection(there).size} of ${accepted.size} ${after}`);
  },
};

export const aged: Assumption = {
  says: 'While messages wait, a queue says in nine of ten readings how old the oldest is',
  async ask({ readings: { waiting, aged: withAge } }) {
    if (waiting === 0) return { answer: 'unknown', seen: 'nothing ever waited when a queue was asked' };
    return verdict(withAge >= 0.9 * waiting, `${withAge} of ${waiting} readings`);
  },
};

export const published: Assumption = {
  says: 'Every accepted event is in events/ exactly once within 15 minutes, as the log of parts proves',
  async ask({ accepted, store, signal, account, runCrons }) {
    const isComplete = async () => {
      await runCrons();
      return accepted.isSubsetOf(new Set(await idsUnder(store, EVENTS_PARTITIONS)));
    };
    const { isSo, after } = await until(isComplete, 15 * MINUTE_MS, signal, account ? 10_000 : 200);
    const { parts, rows, findings } = await verify(store, { range: {}, settledBefore: new Date() }, signal);
    const seen = `${accepted.size} events, ${parts} part(s), ${rows} row(s), ${findings.length} finding(s) ${after}`;
    return verdict(isSo && rows === accepted.size && findings.length === 0, seen);
  },
};

export const inTable: Assumption = {
  says: 'The Iceberg table, as the catalog gives it to a reader, has every published row within ten minutes',
  async ask(rehearsal) {
    const { accepted, signal, account, runCrons } = rehearsal;
    let rows: number | undefined;
    const isComplete = async () => {
      await runCrons();
      rows = await rowsOfTable(rehearsal);
      return rows === accepted.size;
    };
    const { isSo, after } = await until(isComplete, 10 * MINUTE_MS, signal, account ? 10_000 : 200);
    return verdict(isSo, `${rows ?? 'no table: none'} of ${accepted.size} rows ${after}`);
  },
};

export const counted: Assumption = {
  says: 'Analytics Engine counts the accepted events to within a tenth, five minutes later',
  needsAccount: true,
  async ask({ account, accepted, signal }) {
    const sql = `SELECT SUM(_sample_interval * double1) AS events FROM ${account?.dataset} WHERE blob1 = 'request' AND blob2 = 'accepted'`;
    let events = 0;
    const { isSo } = await until(
      async () => {
        const query = `/analytics_engine/sql?query=${encodeURIComponent(sql)}`;
        const answer = await account?.ask(query).catch(() => undefined);
        events = Number((answer as { data?: readonly { events: unknown }[] } | undefined)?.data?.[0]?.events ?? 0);
        return Math.abs(events - accepted.size) <= 0.1 * accepted.size;
      },
      5 * MINUTE_MS,
      signal,
      10_000,
    );
    return verdict(isSo, `${events} counted, ${accepted.size} accepted`);
  },
};

function eventsOf({ events }: Rehearsal, seed: number): WireEvent[] {
  const stays = generateStays(seed);
  return Array.from({ length: events / 2 }, (_, at) => {
    const event = { ...stays.next().value, IntegrationId: MARK, PropertyId: MARK };
    return at % 100 === 0 ? { ...event, Email: REHEARSED_EMAIL } : event;
  });
}

/** Records the ids of the accepted events in an answer. */
function addIds(answer: string, { accepted }: Rehearsal): void {
  for (const [, id = ''] of answer.matchAll(/"event_id":"([\da-f-]{36})"/g)) accepted.add(id);
}

function post({ origin, tokens }: Rehearsal, path: string, body: string): Promise<Response> {
  const headers = { Authorization: `Bearer ${tokens.sender}`, 'Content-Type': 'application/json' };
  return postWithTimeout(origin + path, headers, body);
}

/** Records the state of the queues, as an operator sees it. */
async function readQueues({ origin, tokens, readings }: Rehearsal): Promise<void> {
  const headers = { Authorization: `Bearer ${tokens.operator}` };
  const response = await fetch(`${origin}/status.json`, { headers, signal: AbortSignal.timeout(2 * ANSWER_MS) });
  // Above the limit of ten requests a minute there is no reading to record.
  if (response.status !== 200) return void (await response.body?.cancel());
  const { service } = (await response.json()) as {
    service?: { queues: readonly { state: { messages: number; oldest_at: string | null } | null }[] };
  };
  for (const { state } of service?.queues ?? []) {
    if (state === null || state.messages === 0) continue;
    readings.waiting += 1;
    if (state.oldest_at !== null) readings.aged += 1;
  }
}

/** Rows of the table according to the catalog; undefined if it has no table. */
async function rowsOfTable(rehearsal: Rehearsal): Promise<number | undefined> {
  const answer = await askCatalog(rehearsal, 'namespaces/reservations/tables/events', rehearsal.tokens.reader);
  if (answer.status !== 200) return void (await answer.body?.cancel());
  const table = (await answer.json()) as Pick<Table, 'metadata'>;
  return Number(currentSnapshot(table)?.summary['total-records'] ?? 0);
}

/** The event_ids in the objects under a prefix, each as often as it is there. */
async function idsUnder(store: ObjectStore, prefix: string): Promise<string[]> {
  const ids: string[] = [];
  for await (const { key } of store.list(prefix)) {
    const body = await store.get(key);
    if (body === undefined) continue;
    const text = new TextDecoder().decode(key.endsWith('.gz') ? gunzipSync(body) : body);
    for (const [, id = ''] of text.matchAll(/^\{"event_id":"([\da-f-]{36})"/gm)) ids.push(id);
  }
  return ids;
}
