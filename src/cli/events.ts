/** `npm run events`: lists, prints, queries, copies and verifies the events in R2, by time. */

import { once } from 'node:events';
import { statSync } from 'node:fs';
import { EVENTS_PREFIX } from '../storage/keys.ts';
import { ndjson } from '../storage/line.ts';
import { runCommand } from './command.ts';
import { EVENTS_USAGE, type EventsOptions, readEventsOptions } from './events/events-options.ts';
import { pull } from './events/pull.ts';
import { copyLanded, fetchEvents, pulledFiles } from './events/query-files.ts';
import { uniqueLines } from './events/unique-lines.ts';
import { verify } from './events/verify.ts';
import { describeWatermark, readWatermark } from './events/watermark.ts';
import { createFolderStore } from './folder-store.ts';
import { interruptionSignal } from './interruption.ts';
import { listHours } from './list-hours.ts';
import type { StoredObject } from './object-store/xml.ts';
import { createObjectStore, type ObjectStore } from './object-store.ts';
import { STORE_HELP, storeLocation } from './store-location.ts';
import { escapeControls, formatTable, type TableRow } from './table.ts';
import { withTemporaryFolder } from './temporary-folder.ts';

/**
 * How long an object may disagree with the log, in milliseconds: the publisher writes a part before its log entry, and
 * deletes a replaced object after it.
 */
const PUBLISHING_MS = 3_600_000;

/**
 * Key prefixes of each source. Landing comes first: an event that is published meanwhile moves to `events/`, so reading
 * in this order meets it at least once.
 */
const PREFIXES = {
  landing: ['landing'],
  events: [EVENTS_PREFIX.slice(0, -1)],
  both: ['landing', EVENTS_PREFIX.slice(0, -1)],
} as const;

type Options<Command> = Extract<EventsOptions, { readonly command: Command }>;
type Listing = Options<'list' | 'show'>;

const HELP = `${EVENTS_USAGE}

Environment
${STORE_HELP}`;

const interruption = interruptionSignal();

await runCommand(HELP, (args) => run(readEventsOptions(args)), interruption);

function run(options: EventsOptions): Promise<void> {
  switch (options.command) {
    case 'list':
      return list(options);
    case 'show':
      return show(options);
    case 'sql':
      return answer(options);
    case 'pull':
      return copy(options);
    case 'verify':
      return check(options);
  }
}

function bucket(): ObjectStore {
  return createObjectStore(storeLocation(), interruption);
}

async function* objectsOf(store: ObjectStore, { source, range }: Listing): AsyncGenerator<StoredObject> {
  for (const prefix of PREFIXES[source]) yield* listHours(store, prefix, range);
}

async function list(listing: Listing): Promise<void> {
  const store = bucket();
  const watermark = await readWatermark(store);
  let [objects, total] = [0, 0];
  for await (const { key, bytes } of objectsOf(store, listing)) {
    await write(`${String(bytes).padStart(12)}  ${printable(key)}\n`);
    objects += 1;
    total += bytes;
  }
  console.error(`${count(objects, 'object')}, ${count(total, 'byte')}. ${describeWatermark(watermark)}`);
}

async function show(listing: Listing): Promise<void> {
  const store = bucket();
  async function* keys() {
    for await (const { key } of objectsOf(store, listing)) yield key;
  }
  const onOther = (key: string) => {
    console.error(`${printable(key)}: holds something other than events, which is skipped; look at it`);
    process.exitCode = 1;
  };
  let isEmpty = true;
  for await (const text of uniqueLines(store, keys(), listing.range, onOther)) {
    isEmpty &&= text.length === 0;
    await write(process.stdout.isTTY ? printable(text.toString()) : text);
  }
  if (!isEmpty) return;
  const more = listing.source === 'events' ? '; --source both includes what is not published yet' : '';
  console.error(`No events found. ${describeWatermark(await readWatermark(store))}${more}`);
}

async function answer({ query, folder, keep, fresh, range }: Options<'sql'>) {
  // Loaded here only: the other commands start without the database.
  const { ask, checkQuery } = await import('./events/ask.ts');
  await checkQuery(query);
  await withTemporaryFolder(async (temporary) => {
    // Landing before published events, as in PREFIXES.
    const landed = fresh ? await copyLanded(bucket(), temporary, range, interruption) : [];
    const files =
      folder === undefined
        ? await fetchEvents(bucket(), keep ?? temporary, fresh, range, interruption)
        : { table: [], published: await pulledFiles(folder, range, interruption) };
    const shown: TableRow[] = [];
    await ask({ ...files, landed }, range, query, temporary, interruption, async (rows) => {
      if (process.stdout.isTTY) shown.push(...rows);
      // As in the files: the escaping keeps readers from taking U+2028 and the like for the end of a line.
      else for (const row of rows) await write(ndjson(row));
    });
    if (process.stdout.isTTY) await write(formatTable(shown, process.stdout.columns));
  });
}

async function copy({ folder, range }: Options<'pull'>): Promise<void> {
  const { files, fetched, removed, watermark } = await pull(bucket(), folder, range, interruption);
  const report = {
    files: files.length,
    fetched,
    removed,
    from: range.from ?? null,
    to: range.to ?? null,
    complete_through: watermark.ok ? (watermark.value?.complete_through ?? null) : null,
  };
  await write(`${JSON.stringify(report)}\n`);
  const copied = `${count(files.length, 'file')} in ${folder}, ${fetched} of them new`;
  console.error(`${copied}. ${describeWatermark(watermark)}`);
}

async function check({ folder, range }: Options<'verify'>): Promise<void> {
  const now = Date.now();
  if (folder !== undefined && !statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw new Error(
      `Cannot verify ${folder}: there is no such folder; name the one that npm run events -- pull has filled`,
    );
  }
  const store = folder === undefined ? bucket() : createFolderStore(folder);
  const request = { range, settledBefore: new Date(folder === undefined ? now - PUBLISHING_MS : now) };
  const { parts, rows, entries, findings } = await verify(store, request, interruption);
  // Loaded here only: the table alone needs the database.
  const { verifyTable } = await import('./events/verify-table.ts');
  const table = await verifyTable(store, entries, request, interruption);
  const all = [...findings, ...(table?.findings ?? [])];
  for (const finding of all) await write(`${printable(finding)}\n`);
  const inTable = table && `in the table ${count(table.files, 'file')} with ${count(table.rows, 'row')}, `;
  console.error(`${count(parts, 'part')}, ${count(rows, 'row')}, ${inTable ?? ''}${count(all.length, 'finding')}`);
  if (all.length > 0) process.exitCode = 1;
}

/** Escapes control characters: others write to the bucket too, and a terminal would obey them. */
function printable(text: string): string {
  return escapeControls(text, '\n');
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}

async function write(chunk: string | Uint8Array): Promise<void> {
  interruption.throwIfAborted();
  if (!process.stdout.write(chunk)) await once(process.stdout, 'drain', { signal: interruption });
}
