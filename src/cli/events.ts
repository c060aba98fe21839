/** `npm run events`: events out of R2, by time. */

import { once } from 'node:events';
import { ndjson } from '../storage/line.ts';
import { runCommand } from './command.ts';
import { copyEvents } from './events/copy-events.ts';
import { EVENTS_USAGE, type EventsOptions, readEventsOptions } from './events/events-options.ts';
import { describeLogFinding } from './events/log-finding.ts';
import { kindsOf, listObjects } from './events/objects.ts';
import { filesIn } from './events/read-folder.ts';
import { uniqueLines } from './events/unique-lines.ts';
import { verify } from './events/verify.ts';
import { type ReadWatermark, readWatermark } from './events/watermark.ts';
import { openFolder } from './folder-store.ts';
import { interruptionSignal } from './interruption.ts';
import { type ObjectStore, openStore } from './object-store.ts';
import { STORE_HELP, storeLocation } from './store-location.ts';
import { formatTable, type TableRow } from './table.ts';
import { withTemporaryFolder } from './temporary-folder.ts';

/** A publisher at work writes a part before its entry in the log, and deletes what was replaced after it. */
const PUBLISHING_MS = 3_600_000;

const HELP = `${EVENTS_USAGE}

Environment
${STORE_HELP}`;

const interruption = interruptionSignal();

await runCommand(HELP, (args) => run(readEventsOptions(args)), interruption);

function run(options: EventsOptions): Promise<void> {
  switch (options.command) {
    case 'ls':
      return list(options);
    case 'cat':
      return print(options);
    case 'sql':
      return answer(options);
    case 'pull':
      return copy(options);
    case 'verify':
      return check(options);
  }
}

function bucket(): ObjectStore {
  return openStore(storeLocation(), interruption);
}

async function list({ source, range }: EventsOptions): Promise<void> {
  const store = bucket();
  const watermark = await readWatermark(store);
  let [objects, total] = [0, 0];
  for (const kind of kindsOf(source)) {
    for await (const { key, bytes } of listObjects(store, kind, range)) {
      await write(`${String(bytes).padStart(12)}  ${key}\n`);
      objects += 1;
      total += bytes;
    }
  }
  console.error(`${count(objects, 'object')}, ${count(total, 'byte')}. ${explain(watermark)}`);
}

async function print({ source, range }: EventsOptions): Promise<void> {
  const store = bucket();
  const lines = uniqueLines(range);
  for (const kind of kindsOf(source)) {
    for await (const { key } of listObjects(store, kind, range)) {
      const body = await store.get(key);
      // An object of landing/ that has been published since it was listed is read there.
      if (body !== undefined) await write(Buffer.concat([...lines.of(key, body)]));
    }
  }
}

async function answer(options: Extract<EventsOptions, { command: 'sql' }>): Promise<void> {
  const { query, folder, keep, source, range } = options;
  // The other commands start without the database.
  const { ask, checkQuery } = await import('./events/ask.ts');
  await checkQuery(query);
  await withTemporaryFolder(async (temporary) => {
    // Lines that have landed are compared with the lines of parts.
    const request = { range, prefer: source === 'events' ? 'parquet' : 'ndjson', exclusive: false } as const;
    const copy = async (into: string) => (await copyEvents(bucket(), into, source, request, interruption)).files;
    const files =
      folder === undefined ? await copy(keep ?? temporary) : await filesIn(folder, source, range, interruption);
    const shown: TableRow[] = [];
    await ask(files, range, query, temporary, interruption, async (rows) => {
      if (process.stdout.isTTY) shown.push(...rows);
      // As in the files, where no reader takes U+2028 and its like for the end of a line.
      else for (const row of rows) await write(ndjson(row));
    });
    if (process.stdout.isTTY) await write(formatTable(shown, process.stdout.columns));
  });
}

async function copy(options: Extract<EventsOptions, { command: 'pull' }>): Promise<void> {
  const { folder, format, source, range } = options;
  const store = bucket();
  const watermark = await readWatermark(store);
  const { files, ...counts } = await (format === 'csv' ? copyTables() : copyObjects());

  async function copyTables() {
    const { pullCsv } = await import('./events/pull-csv.ts');
    return withTemporaryFolder((scratch) => pullCsv(store, folder, range, scratch, interruption));
  }

  async function copyObjects() {
    const prefer = format === 'parquet' ? 'parquet' : 'ndjson';
    const request = { range, prefer, exclusive: prefer === 'parquet' } as const;
    const { files, pulled } = await copyEvents(store, folder, source, request, interruption);
    return { files, fetched: pulled?.fetched ?? 0, removed: pulled?.removed ?? 0 };
  }

  const report = {
    files: files.length,
    ...counts,
    from: range.from ?? null,
    to: range.to ?? null,
    complete_through: source === 'landing' ? null : (watermark?.complete_through ?? null),
  };
  await write(`${JSON.stringify(report)}\n`);
  console.error(`${count(files.length, 'file')} in ${folder}, ${counts.fetched} of them new. ${explain(watermark)}`);
}

async function check({ folder, range }: Extract<EventsOptions, { command: 'verify' }>): Promise<void> {
  const now = Date.now();
  const { parts, columnar, rows, findings } = await (folder === undefined
    ? verify(bucket(), { range, place: 'bucket', settledBefore: new Date(now - PUBLISHING_MS) }, interruption)
    : verify(openFolder(folder), { range, place: 'copy', settledBefore: new Date(now) }, interruption));
  for (const finding of findings) await write(`${describeLogFinding(finding)}\n`);
  const objects = `${count(parts, 'part')}, ${count(columnar, 'Parquet object')}`;
  console.error(`${objects}, ${count(rows, 'row')}, ${count(findings.length, 'finding')}`);
  if (findings.length > 0) process.exitCode = 1;
}

function explain(watermark: ReadWatermark | undefined): string {
  if (watermark === undefined) return 'Nothing has been published yet';
  const { complete_through, dead_letters } = watermark;
  const letters = dead_letters === 0 ? '' : `, but for ${count(dead_letters, 'dead letter')}`;
  return `events/ is complete up to ${complete_through}${letters}`;
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}

async function write(chunk: string | Uint8Array): Promise<void> {
  interruption.throwIfAborted();
  if (!process.stdout.write(chunk)) await once(process.stdout, 'drain', { signal: interruption });
}
