/** `npm run demo`: the service at work, from a stream of events to rows that DuckDB reads. */

import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { styleText } from 'node:util';
import { DuckDBInstance } from '@duckdb/node-api';
import { runCommand } from './command.ts';
import { lockFolder } from './folder-lock.ts';
import { generateStays, type WireEvent } from './generate-stays.ts';
import { type LocalService, startLocal } from './local-service.ts';
import { mapWithProgress } from './map-with-progress.ts';
import type { StoreLocation } from './object-store/request.ts';
import { openStore } from './object-store.ts';
import { PROJECT } from './project.ts';
import { readServiceAnswer } from './service-answer.ts';
import { showProgress } from './show-progress.ts';
import { formatTable, type TableRow } from './table.ts';
import { readCommandLine } from './usage.ts';

const EVENTS = 300;
const SEED = 2026;
const CONCURRENCY = 8;
/** One event in this number has to be refused. */
const REFUSED_EVERY = 12;
/** Rows land about a second after they are accepted; after this long without a new one, they never will. */
const PATIENCE_MS = 30_000;
const FOLDER = join(PROJECT, '.wrangler');
const STATE_DIR = join(FOLDER, 'demo');
const FILES_DIR = join(STATE_DIR, 'files');

/** What a PMS gets wrong. */
const MISTAKES: readonly ((event: WireEvent) => object)[] = [
  ({ AssignedResourceNumber: _, ...rest }) => rest,
  (event) => ({ ...event, EventType: 'ReservationModified' }),
  (event) => ({ ...event, StartUtc: '2026-02-30T14:00:00Z' }),
  (event) => [event],
];

const USAGE = `Usage: npm run demo

Sends ${EVENTS} events through the whole service on this machine, some of them with mistakes, and reads the rows back with
DuckDB.`;

await runCommand(USAGE, (args, interruption) => {
  readCommandLine(args, {});
  const unlock = lockFolder(FOLDER, 'demo');
  return demo(interruption).finally(unlock);
});

async function demo(signal: AbortSignal): Promise<void> {
  await rm(STATE_DIR, { recursive: true, force: true });
  console.log('Starting the service, with Queue and R2 on this machine');
  const service = await startLocal({ stateDir: STATE_DIR, show: false });
  try {
    const { accepted, answers } = await sendEvents(service, signal);
    const landed = await downloadLanded(service.store, accepted, signal);
    await report(answers, landed);
    const missing = [...accepted].filter((eventId) => !landed.eventIds.has(eventId));
    if (missing.length > 0) {
      throw new Error(
        `\n${missing.length} of ${accepted.size} accepted events did not land; the first is ${missing[0]}`,
      );
    }
    console.log(
      styleText('green', `\nEach of the ${accepted.size} accepted events is in R2. Now try it yourself: npm start`),
    );
  } finally {
    await service.stop();
  }
}

/** Sends the events, some of them with mistakes, and gathers what was answered. */
async function sendEvents({ endpoint, token }: LocalService, signal: AbortSignal) {
  const accepted = new Set<string>();
  const answers = new Map<number, number>();
  const stays = generateStays(SEED);
  const events = Array.from({ length: EVENTS }, (_, at) => {
    const event = stays.next().value;
    const number = at + 1;
    const spoil = number % REFUSED_EVERY === 0 ? MISTAKES[(number / REFUSED_EVERY) % MISTAKES.length] : undefined;
    return JSON.stringify(spoil === undefined ? event : spoil(event));
  });
  const send = async (body: string) => {
    const response = await fetch(endpoint, {
      method: 'POST',
      headers: { Authentication: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body,
    });
    const { eventId } = await readServiceAnswer(response);
    if (eventId !== '') accepted.add(eventId);
    answers.set(response.status, (answers.get(response.status) ?? 0) + 1);
  };
  const remark = () => `${accepted.size} accepted`;
  await mapWithProgress(events, send, { label: 'Sending', concurrency: CONCURRENCY, signal, remark });
  return { accepted, answers };
}

/** Copies objects of `landing/` into FILES_DIR until all accepted events are there, or none has come for long. */
async function downloadLanded(location: StoreLocation, accepted: ReadonlySet<string>, signal: AbortSignal) {
  const store = openStore(location);
  const progress = showProgress('Landing', accepted.size);
  const objects: { key: string; bytes: number; rows: number }[] = [];
  const eventIds = new Set<string>();
  const seen = new Set<string>();
  await mkdir(FILES_DIR, { recursive: true });
  let lastNews = Date.now();
  while (eventIds.size < accepted.size && Date.now() - lastNews < PATIENCE_MS) {
    for await (const { key, bytes } of store.list('landing/')) {
      if (seen.has(key)) continue;
      seen.add(key);
      const body = await store.get(key);
      if (body === undefined) throw new Error(`Cannot read ${key}: it was listed a moment ago and is gone`);
      await writeFile(join(FILES_DIR, `${objects.length}.ndjson`), body);
      const lines = new TextDecoder().decode(body).trimEnd().split('\n');
      for (const line of lines) eventIds.add(JSON.parse(line).event_id);
      objects.push({ key, bytes, rows: lines.length });
      lastNews = Date.now();
    }
    progress.update(eventIds.size, `${objects.length} objects`);
    await sleep(100, undefined, { signal });
  }
  progress.end();
  return { objects, eventIds };
}

/** Shows the answers, the objects, and what DuckDB makes of them. */
async function report(answers: ReadonlyMap<number, number>, { objects }: Awaited<ReturnType<typeof downloadLanded>>) {
  show(
    'Answers',
    Array.from([...answers].sort(), ([status, requests]) => ({ status, requests })),
  );
  show(
    'Objects in R2, below landing/',
    objects.map(({ key, bytes, rows }) => ({ rows, bytes, key: key.replace('landing/', '') })),
  );
  const connection = await (await DuckDBInstance.create()).connect();
  const query = async (sql: string) => (await connection.runAndReadAll(sql)).getRowObjectsJson();
  const rows = `read_json('${FILES_DIR.replaceAll("'", "''")}/*.ndjson')`;
  show(
    'Rows by type, as DuckDB reads them',
    await query(
      `select event_type, count(*) as events, count(distinct property_id) as hotels from ${rows} group by all order by events desc`,
    ),
  );
  show(
    'Some of the rows',
    await query(
      `select event_type, property_id, first_name, last_name, strftime(start_utc, '%Y-%m-%d') as arrival, adult_counts as adults
       from ${rows} order by event_id limit 5`,
    ),
  );
}

function show(title: string, rows: readonly TableRow[]): void {
  console.log(`\n${styleText('bold', title)}\n${formatTable(rows).trimEnd()}`);
}
