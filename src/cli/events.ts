/** `npm run events`: events out of R2, by time. */

import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WATERMARK_KEY } from '../storage/keys.ts';
import type { Watermark } from '../storage/watermark.ts';
import { runCommand } from './command.ts';
import { ask } from './events/ask.ts';
import { download } from './events/download.ts';
import { kindsOf, listObjects } from './events/objects.ts';
import { type EventsOptions, readOptions, USAGE } from './events/options.ts';
import { save } from './events/save.ts';
import { uniqueLines } from './events/unique-lines.ts';
import { type ObjectStore, openStore } from './object-store.ts';
import { STORE_HELP, storeLocation } from './store-location.ts';
import { formatTable } from './table.ts';

const interruption = new AbortController();
process.once('SIGINT', () => interruption.abort(new Error('Interrupted')));
// Whoever reads the output may have seen enough, as `head` does.
process.stdout.on('error', () => process.exit());

const HELP = `${USAGE}

Environment
${STORE_HELP}`;

await runCommand(HELP, (args) => run(readOptions(args), openStore(storeLocation())));

function run(options: EventsOptions, store: ObjectStore): Promise<void> {
  switch (options.command) {
    case 'ls':
      return list(options, store);
    case 'cat':
      return print(options, store);
    case 'sql':
      return answer(options, options.query, store);
    case 'pull':
      return pull(options, options.folder, store);
  }
}

async function list({ source, range }: EventsOptions, store: ObjectStore): Promise<void> {
  const watermark = await store.get(WATERMARK_KEY);
  let [objects, total] = [0, 0];
  for (const kind of kindsOf(source)) {
    for await (const { key, bytes } of listObjects(store, kind, range)) {
      interruption.signal.throwIfAborted();
      await write(`${String(bytes).padStart(12)}  ${key}\n`);
      objects += 1;
      total += bytes;
    }
  }
  console.error(`${count(objects, 'object')}, ${count(total, 'byte')}. ${explain(watermark)}`);
}

async function print({ source, range }: EventsOptions, store: ObjectStore): Promise<void> {
  const lines = uniqueLines(range);
  for (const kind of kindsOf(source)) {
    for await (const { key } of listObjects(store, kind, range)) {
      interruption.signal.throwIfAborted();
      const body = await store.get(key);
      // An object of landing/ that has been published since it was listed is read there.
      if (body !== undefined) await write(Buffer.concat([...lines.of(key, body)]));
    }
  }
}

async function answer({ source, range }: EventsOptions, query: string, store: ObjectStore): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'reservation-events-'));
  try {
    const { files } = await download(store, folder, source, range, interruption.signal);
    const rows = ask(files, range, query);
    if (process.stdout.isTTY) await write(formatTable(await Array.fromAsync(rows), process.stdout.columns));
    else for await (const row of rows) await write(`${JSON.stringify(row)}\n`);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function pull({ source, range }: EventsOptions, folder: string, store: ObjectStore): Promise<void> {
  // Read first and written last, so that it never says more than the files beside it hold.
  const watermark = await store.get(WATERMARK_KEY);
  const { files, copied } = await download(store, folder, source, range, interruption.signal);
  if (watermark !== undefined) await save(join(folder, WATERMARK_KEY), watermark);
  console.error(`${count(files.length, 'file')} in ${folder}, ${copied} of them new. ${explain(watermark)}`);
}

function explain(watermark: Uint8Array | undefined): string {
  if (watermark === undefined) return 'Nothing has been published yet';
  const { complete_through, dead_letters }: Watermark = JSON.parse(new TextDecoder().decode(watermark));
  const letters = dead_letters === 0 ? '' : `, but for ${count(dead_letters, 'dead letter')}`;
  return `events/ is complete up to ${complete_through}${letters}`;
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}

async function write(chunk: string | Uint8Array): Promise<void> {
  if (!process.stdout.write(chunk)) await once(process.stdout, 'drain');
}
