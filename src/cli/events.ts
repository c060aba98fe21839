/** `npm run events`: events out of R2, by time. */

import { once } from 'node:events';
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
    const copy = async (into: string) => (await copyEvents(bucket(), into, source, range, interruption)).files;
    const files =
      folder === undefined ? await copy(keep ?? temporary) : await filesIn(folder, source, range, interruption);
    const shown: TableRow[] = [];
    await ask(files, range, query, temporary, interruption, async (rows) => {
      if (process.stdout.isTTY) shown.push(...rows);
      else for (const row of rows) await write(`${JSON.stringify(row)}\n`);
    });
    if (process.stdout.isTTY) await write(formatTable(shown, process.stdout.columns));
  });
}

async function copy({ folder, source, range }: Extract<EventsOptions, { command: 'pull' }>): Promise<void> {
  const { files, pulled } = await copyEvents(bucket(), folder, source, range, interruption);
  const report = {
    files: files.length,
    fetched: pulled?.fetched ?? 0,
    removed: pulled?.removed ?? 0,
    from: range.from ?? null,
    to: range.to ?? null,
    complete_through: pulled?.watermark?.complete_through ?? null,
  };
  await write(`${JSON.stringify(report)}\n`);
  console.error(
    `${count(files.length, 'file')} in ${folder}, ${report.fetched} of them new. ${explain(pulled?.watermark)}`,
  );
}

async function check({ folder, range }: Extract<EventsOptions, { command: 'verify' }>): Promise<void> {
  const now = Date.now();
  const [store, settledBefore] =
    folder === undefined ? [bucket(), new Date(now - PUBLISHING_MS)] : [openFolder(folder), new Date(now)];
  const { parts, rows, findings } = await verify(store, range, settledBefore, interruption);
  for (const finding of findings) await write(`${describeLogFinding(finding)}\n`);
  console.error(`${count(parts, 'part')}, ${count(rows, 'row')}, ${count(findings.length, 'finding')}`);
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
