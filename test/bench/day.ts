/** A day of a large group: landed in a local bucket, published and written to the table by the real Worker, and read. */

import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import pMap from 'p-map';
import { pull } from '../../src/cli/events/pull.ts';
import { copyLanded, fetchEvents } from '../../src/cli/events/query-files.ts';
import { readCurrentTable } from '../../src/cli/events/read-table.ts';
import { createViews, type EventFiles } from '../../src/cli/events/views.ts';
import { createFolderStore } from '../../src/cli/folder-store.ts';
import { search } from '../../src/cli/guests/search.ts';
import { runLocalCron } from '../../src/cli/local-crons.ts';
import { freePort, type LocalService, startLocal } from '../../src/cli/local-service.ts';
import { createObjectStore, type ObjectStore } from '../../src/cli/object-store.ts';
import { formatTable } from '../../src/cli/table.ts';
import { currentSnapshot, logSequenceOf, TABLE_DATA } from '../../src/storage/iceberg/table.ts';
import { EVENTS_PARTITIONS, LANDING_PARTITIONS, LOG_PREFIX } from '../../src/storage/keys.ts';
import { NOBODY } from '../guests/selections.ts';
import { watchHeap } from './heap.ts';
import { checkBatches } from './intake.ts';
import { landedDay } from './landed-day.ts';

const ROWS_AN_HOUR = 40_000;
const ROWS = 24 * ROWS_AN_HOUR;
const WRITES = 8;
const MINUTE_MS = 60_000;
const ALL = {};

/** What is asked of a day. */
const QUESTIONS = {
  'GROUP BY': 'SELECT property_id, event_type, count(*) FROM events GROUP BY ALL',
  'one hotel':
    'SELECT event_type, count(*) FROM events WHERE property_id = (SELECT min(property_id) FROM events) GROUP BY ALL',
  'latest state': 'SELECT reservation_state, count(*) FROM latest_reservations GROUP BY ALL',
} as const;

/**
 * Measures a day and prints it.
 *
 * @throws When an event is missing or there twice, or when something is left in `landing/`.
 */
export function benchDay(folder: string): Promise<void> {
  return withLandedDay(folder, async (service, inspectorPort) => {
    const store = createObjectStore(service.store);
    const sources = [await copy(folder, 'landing', store)];
    console.log(formatTable(await write(service, store, inspectorPort)));
    sources.push(await copy(folder, 'events', store), await copy(folder, 'table', store));
    console.log(formatTable(sources.map(({ files: _, ...figures }) => figures)));
    console.log(formatTable(await ask(sources.map(({ source, files }) => ({ source, files })))));
    console.log(formatTable([await searchOnce(join(folder, 'events'))]));
  });
}

/** Measures what writing a day takes while eight full batches come in all the time. */
export function benchCrowdedDay(folder: string): Promise<void> {
  return withLandedDay(folder, async (service, inspectorPort) => {
    const end = checkBatches(service.origin, service.token);
    console.log(formatTable(await write(service, createObjectStore(service.store), inspectorPort)));
    await end();
  });
}

/** Lands a day in a bucket of its own. */
async function withLandedDay(
  folder: string,
  measure: (service: LocalService, inspectorPort: number) => Promise<void>,
): Promise<void> {
  const inspectorPort = await freePort();
  const stateDir = await mkdtemp(join(folder, 'day-'));
  const service = await startLocal({ stateDir, show: false, inspectorPort });
  const interrupt = () => service.stop().then(() => process.exit(130));
  process.once('SIGINT', interrupt);
  try {
    const store = createObjectStore(service.store);
    await pMap(landedDay(ROWS_AN_HOUR), ({ key, body }) => store.create(key, body), { concurrency: WRITES });
    await measure(service, inspectorPort);
  } finally {
    process.off('SIGINT', interrupt);
    await service.stop();
  }
}

async function write({ origin }: LocalService, store: ObjectStore, inspectorPort: number) {
  return [
    await writeUntil('publish', origin, inspectorPort, () => isPublished(store)),
    await writeUntil('table', origin, inspectorPort, () => isInTable(store)),
  ];
}

/** Runs a cron again and again, two hours from now and a minute later each time, until all is written. */
async function writeUntil(
  cron: 'publish' | 'table',
  origin: string,
  inspectorPort: number,
  isDone: () => Promise<boolean>,
) {
  const heap = await watchHeap(inspectorPort);
  const first = Date.now() + 120 * MINUTE_MS;
  let [runs, milliseconds] = [0, 0];
  do {
    const started = performance.now();
    await runLocalCron(origin, cron, first + runs * MINUTE_MS);
    milliseconds += performance.now() - started;
    runs += 1;
  } while (!(await isDone()));
  return {
    cron,
    runs,
    'rows/s': Math.round((ROWS / milliseconds) * 1_000),
    'MB of memory in use': await heap.stop(),
  };
}

async function isPublished(store: ObjectStore): Promise<boolean> {
  return (await Array.fromAsync(store.list(LANDING_PARTITIONS))).length === 0;
}

async function isInTable(store: ObjectStore): Promise<boolean> {
  const entries = await Array.fromAsync(store.list(LOG_PREFIX));
  const current = await readCurrentTable(store);
  return current !== undefined && logSequenceOf(currentSnapshot(current)) === entries.length;
}

/** Copies one form of the day into a folder of its own, as a reader has to. */
async function copy(folder: string, source: 'landing' | 'events' | 'table', store: ObjectStore) {
  const { signal } = new AbortController();
  const into = join(folder, source);
  const started = performance.now();
  const files: EventFiles = {
    landed: source === 'landing' ? await copyLanded(store, into, ALL, signal) : [],
    published: source === 'events' ? (await pull(store, into, ALL, signal)).files : [],
    table: source === 'table' ? (await fetchEvents(store, into, false, ALL, signal)).table : [],
  };
  const seconds = (performance.now() - started) / 1_000;
  const prefix = { landing: LANDING_PARTITIONS, events: EVENTS_PARTITIONS, table: TABLE_DATA }[source];
  const objects = await Array.fromAsync(createFolderStore(into).list(prefix));
  const bytes = objects.reduce((sum, object) => sum + object.bytes, 0);
  return {
    source,
    objects: objects.length,
    MB: Math.round(bytes / 1e6),
    's to copy': Math.round(seconds * 10) / 10,
    files,
  };
}

/** Asks all forms the same; all have to say the same. */
async function ask(sources: readonly { readonly source: string; readonly files: EventFiles }[]) {
  const answers = Object.keys(QUESTIONS).map((question): Record<string, unknown> => ({ question }));
  const said = new Map<string, string>();
  for (const { source, files } of sources) {
    const connection = await (await DuckDBInstance.create()).connect();
    for (const statement of createViews(files, ALL)) await connection.run(statement);
    const counted = await connection.runAndReadAll('SELECT count(*), count(DISTINCT event_id) FROM events');
    const [counts = []] = counted.getRowsJson();
    if (!counts.every((count) => Number(count) === ROWS))
      throw new Error(`Expected each of ${ROWS} events once, found ${counts} in ${source}`);
    for (const [at, [question, sql]] of Object.entries(QUESTIONS).entries()) {
      const started = performance.now();
      const read = await connection.runAndReadAll(`SELECT * FROM (${sql}) ORDER BY ALL`);
      Object.assign(answers[at] ?? {}, { [`${source}, ms`]: Math.round(performance.now() - started) });
      const answer = JSON.stringify(read.getRowsJson());
      if ((said.get(question) ?? answer) !== answer) throw new Error(`Another answer to ${question} from ${source}`);
      said.set(question, answer);
    }
    connection.closeSync();
  }
  return answers;
}

/** Searches the copied day for a guest who is not in it, in CPU time: what else the machine does is no part of it. */
async function searchOnce(folder: string) {
  const before = process.cpuUsage();
  const { hits } = await search(
    { ...createFolderStore(folder), now: async () => new Date() },
    {
      selection: {
        ...NOBODY,
        customerIds: ['nobody'],
        emails: ['nobody@example.com'],
        phones: ['+420 602 123 456'],
        names: ['Nobody Nowhere'],
        birthDates: ['1987-11-02'],
        integrationIds: ['nobody'],
        propertyIds: ['nobody'],
      },
      range: { to: new Date(8.64e15) },
      checkpoint: undefined,
    },
    new AbortController().signal,
    () => {},
  );
  if (hits.length > 0) throw new Error(`Found ${hits.length} rows of nobody`);
  const { user, system } = process.cpuUsage(before);
  return { 'search for a guest, rows/s of CPU': Math.round(ROWS / ((user + system) / 1e6)) };
}
