/** `npm run demo`: shows the service at work, from a stream of events to rows that DuckDB reads. */

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { styleText } from 'node:util';
import { runCommand } from './command.ts';
import { withConnection } from './events/ask.ts';
import { copyLanded } from './events/query-files.ts';
import { listOf } from './events/views.ts';
import { lockFolder } from './folder-lock.ts';
import { generateStays, type WireEvent } from './generate-stays.ts';
import { type LocalService, startLocal } from './local-service.ts';
import { mapWithProgress } from './map-with-progress.ts';
import { openStore } from './object-store.ts';
import { PROJECT } from './project.ts';
import { readServiceAnswer } from './service-answer.ts';
import { formatTable, type TableRow } from './table.ts';
import { readCommandLine } from './usage.ts';

const EVENTS = 300;
const SEED = 2026;
const CONCURRENCY = 8;
/** One event of this many is refused. */
const REFUSED_EVERY = 12;
const FOLDER = join(PROJECT, '.wrangler');
const STATE_DIR = join(FOLDER, 'demo');
const FILES_DIR = join(STATE_DIR, 'files');

/** Mistakes of PMS integrations. */
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
    await service.drain();
    const landed = await report(answers, await copyLanded(openStore(service.store), FILES_DIR, {}, signal));
    const missing = [...accepted].filter((eventId) => !landed.has(eventId));
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

/** Sends the events, some of them with mistakes, and collects the answers. */
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

/** Prints the answers, the objects, and what DuckDB reads from them. Returns the event_ids of the rows. */
async function report(answers: ReadonlyMap<number, number>, files: readonly string[]): Promise<ReadonlySet<unknown>> {
  show(
    'Answers',
    Array.from([...answers].sort(), ([status, requests]) => ({ status, requests })),
  );
  return withConnection({}, async (connection) => {
    const query = async (sql: string) => (await connection.runAndReadAll(sql)).getRowObjectsJson();
    const rows = `read_json(${listOf(files)}, filename = true)`;
    show(
      'Objects in R2, below landing/',
      await query(
        `select count(*) as rows, split_part(filename, '/landing/', 2) as key from ${rows} group by key order by key`,
      ),
    );
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
    return new Set((await query(`select event_id from ${rows}`)).map(({ event_id }) => event_id));
  });
}

function show(title: string, rows: readonly TableRow[]): void {
  console.log(`\n${styleText('bold', title)}\n${formatTable(rows).trimEnd()}`);
}
