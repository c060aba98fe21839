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
import { createObjectStore } from './object-store.ts';
import { PROJECT } from './project.ts';
import type { Delivered } from './send/deliver.ts';
import { type EventText, type Outgoing, withKeys } from './send/outgoing.ts';
import { sendAll } from './send/send-all.ts';
import { startSummary } from './send/summary.ts';
import { showProgress } from './show-progress.ts';
import { formatTable, type TableRow } from './table.ts';
import { readCommandLine } from './usage.ts';

const EVENTS = 300;
const SEED = 2026;
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
    const accepted = await sendEvents(service, signal);
    await service.drain();
    const landed = await report(await copyLanded(createObjectStore(service.store), FILES_DIR, {}, signal));
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

/** Sends the events, prints the answers, and returns the event_ids of those that were accepted. */
async function sendEvents({ endpoint, token }: LocalService, signal: AbortSignal): Promise<ReadonlySet<string>> {
  const accepted = new Set<string>();
  const sentLog = {
    has: () => false,
    reserve: async () => {},
    note: async (_: Outgoing, { eventId }: Delivered) => {
      if (eventId !== '') accepted.add(eventId);
    },
  };
  const [summary, progress] = [startSummary(), showProgress('Sending', EVENTS)];
  const target = { url: new URL(endpoint), token, signal };
  const { failure } = await sendAll(withKeys(events()), { target, sentLog, summary, progress });
  progress.end();
  if (failure !== undefined) throw failure;
  for (const table of summary.tables()) console.log(`\n${formatTable(table).trimEnd()}`);
  return accepted;
}

async function* events(): AsyncGenerator<EventText> {
  for (const [at, event] of generateStays(SEED).take(EVENTS).toArray().entries()) {
    const line = at + 1;
    const spoil = line % REFUSED_EVERY === 0 ? MISTAKES[(line / REFUSED_EVERY) % MISTAKES.length] : undefined;
    yield { line, body: JSON.stringify(spoil === undefined ? event : spoil(event)) };
  }
}

/** Prints the objects, and what DuckDB reads from them. Returns the event_ids of the rows. */
function report(files: readonly string[]): Promise<ReadonlySet<unknown>> {
  return withConnection({}, async (connection) => {
    const query = async (sql: string) => (await connection.runAndReadAll(sql)).getRowObjectsJson();
    const rows = `read_json(${listOf(files)}, filename = true)`;
    const queries = {
      'Objects in R2, below landing/': `select count(*) as rows, split_part(filename, '/landing/', 2) as key from ${rows} group by key order by key`,
      'Rows by type, as DuckDB reads them': `select event_type, count(*) as events, count(distinct property_id) as hotels from ${rows} group by all order by events desc`,
      'Some of the rows': `select event_type, property_id, first_name, last_name, strftime(start_utc, '%Y-%m-%d') as arrival, adult_counts as adults
        from ${rows} order by event_id limit 5`,
    };
    for (const [title, sql] of Object.entries(queries)) show(title, await query(sql));
    return new Set((await query(`select event_id from ${rows}`)).map(({ event_id }) => event_id));
  });
}

function show(title: string, rows: readonly TableRow[]): void {
  console.log(`\n${styleText('bold', title)}\n${formatTable(rows).trimEnd()}`);
}
