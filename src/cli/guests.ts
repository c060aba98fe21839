/** `npm run guests`: finds, exports and erases the stored data of a guest. */

import { REQUEST_KEPT_DAYS } from '../storage/erasure.ts';
import { agrees } from './agree.ts';
import { runCommand } from './command.ts';
import { doubtsAbout, type HitRow, tableOfFound, tableOfStays } from './guests/describe-found.ts';
import { followErasure, listErasures, rowsErased, showErasure } from './guests/erasures.ts';
import { exportGuest } from './guests/export-guest.ts';
import { GUESTS_USAGE, type GuestsOptions, readGuestsOptions, type SearchOptions } from './guests/guests-options.ts';
import { keptRowOf } from './guests/kept-line.ts';
import { readHits } from './guests/read-lines.ts';
import { pseudonymKey, refuseUnfitKey, requestErasure } from './guests/request-erasure.ts';
import { type Found, search } from './guests/search.ts';
import { interruptionSignal } from './interruption.ts';
import { createLocalCrons } from './local-crons.ts';
import { localOrigin } from './local-service.ts';
import { createObjectStore, type ObjectStore } from './object-store.ts';
import { STORE_HELP, storeLocation } from './store-location.ts';
import { formatTable } from './table.ts';

const HELP = `${GUESTS_USAGE}

Environment
${STORE_HELP}
  PSEUDONYM_KEY         erase: the same secret as in the Worker; locally it is in .dev.vars`;

const interruption = interruptionSignal();

await runCommand(HELP, (args) => run(readGuestsOptions(args)), interruption);

async function run(options: GuestsOptions): Promise<void> {
  const location = storeLocation();
  const store = createObjectStore(location, interruption);
  switch (options.command) {
    case 'find':
      return find(store, options);
    case 'erase':
      return erase(store, options, localOrigin(location));
    case 'list':
      process.stdout.write(formatTable(await listErasures(store), process.stdout.columns));
      return;
    case 'show':
      process.stdout.write(await showErasure(store, options.erasureId));
  }
}

async function find(store: ObjectStore, options: Extract<GuestsOptions, { command: 'find' }>): Promise<void> {
  const found = await lookFor(store, options, false);
  if (options.folder === undefined) return;
  const { copy, toDecide } = await exportGuest(store, options.folder, options.selection, found);
  console.log(
    `${copy.events.length} event(s) and ${copy.other_records.length} other record(s) are in ${options.folder}`,
  );
  if (toDecide.length > 0) {
    console.log(
      `${toDecide.length} value(s) in them cannot be attributed to the guest. They are only in decide.json: decide which of them you hand out`,
    );
  }
}

async function erase(
  store: ObjectStore,
  options: Extract<GuestsOptions, { command: 'erase' }>,
  origin: string | undefined,
): Promise<void> {
  // Checked before the search, which may take long.
  const key = pseudonymKey(origin !== undefined);
  await refuseUnfitKey(store, key);
  const found = await lookFor(store, options, true);
  const stays = tableOfStays(await rowsOf(store, found));
  if (stays.length > 0) process.stdout.write(`\n${formatTable(stays, process.stdout.columns)}`);
  console.log(planOf(found));
  if (!(options.yes || (await agrees('Erase the guest? This cannot be undone.')))) return;
  const id = await requestErasure(store, options.selection, found, key);
  console.log(`\nErasure ${id} is requested. The service carries it out even if this command ends`);
  const left = () =>
    console.error(`The service continues the erasure. To see its progress: npm run guests -- show ${id}`);
  interruption.addEventListener('abort', left);
  const record = await followErasure(store, id, {
    signal: interruption,
    say: (text) => console.log(text),
    ...(origin !== undefined && { runCrons: createLocalCrons(origin) }),
  });
  interruption.removeEventListener('abort', left);
  console.log(
    `${rowsErased(record)} row(s) in ${record.parts.length + record.caught.length} part(s) are erased. For your files: npm run guests -- show ${id}`,
  );
}

async function lookFor(store: ObjectStore, options: SearchOptions, isPlan: boolean): Promise<Found> {
  const found = await search(store, options, interruption, (text) => console.error(text));
  process.stdout.write(formatTable(tableOfFound(found, isPlan), process.stdout.columns));
  for (const doubt of doubtsAbout(found)) console.log(doubt);
  return found;
}

/** Reads the rows that would be erased, with their values: the checkpoint keeps none. */
async function rowsOf(store: ObjectStore, { hits }: Found): Promise<HitRow[]> {
  const rows: HitRow[] = [];
  const inRows = hits.filter(({ place, event_id: id }) => id !== null && (place === 'events' || place === 'landing'));
  for await (const { hit, text } of readHits(store, inRows)) {
    const row = keptRowOf(hit.place, text);
    if (row === undefined) {
      throw new Error(
        `Cannot show whose row line ${hit.line + 1} of ${hit.key} is: it is cut off; in landing/ the publisher sets it aside, so run this again in a few minutes, in events/ see npm run events -- verify`,
      );
    }
    rows.push({ hit, row });
  }
  return rows;
}

function planOf({ through }: Found): string {
  return `
The stays stay countable: in events/ the columns of the guest and extra become null, everything else stays as it is.
The log of parts names each new object and the one it replaces; everything derived from events/ follows it.
What was received before ${through.toISOString()} and still waits in a queue is erased as it is published, for ${REQUEST_KEPT_DAYS} days.
What comes later is not touched. rejected/, dead-letter/ and unreadable/ are not edited: they are deleted on the days above.`;
}
