/** `npm run guests`: what is kept of a guest, found, handed out and erased. */

import { agrees } from './agree.ts';
import { runCommand } from './command.ts';
import { columnarObjects } from './guests/columnar-objects.ts';
import { countsOf, listErasures, showErasure } from './guests/erasures.ts';
import { exportGuest } from './guests/export-guest.ts';
import { followErasure } from './guests/follow-erasure.ts';
import { GUESTS_USAGE, type GuestsOptions, readGuestsOptions, type SearchOptions } from './guests/guests-options.ts';
import { pseudonymKey } from './guests/pseudonym-key.ts';
import { DAYS_KEPT, refuseUnfitKey } from './guests/refuse-unfit-key.ts';
import { requestErasure } from './guests/request-erasure.ts';
import { ringLocalClock } from './guests/ring-local-clock.ts';
import { type Found, search } from './guests/search.ts';
import { doubtsAbout, tableOfFound } from './guests/tell-found.ts';
import { interruptionSignal } from './interruption.ts';
import { localOrigin } from './local-service.ts';
import { type ObjectStore, openStore } from './object-store.ts';
import { STORE_HELP, storeLocation } from './store-location.ts';
import { formatTable } from './table.ts';

const HELP = `${GUESTS_USAGE}

Environment
${STORE_HELP}
  PSEUDONYM_KEY         forget: the secret of that name that the Worker has; locally it is in .dev.vars`;

const interruption = interruptionSignal();

await runCommand(HELP, (args) => run(readGuestsOptions(args)), interruption);

async function run(options: GuestsOptions): Promise<void> {
  const location = storeLocation();
  const store = openStore(location, interruption);
  switch (options.command) {
    case 'find':
      return find(store, options);
    case 'forget':
      return forget(store, options, localOrigin(location));
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
  const {
    events,
    other_records: others,
    to_be_checked: unclear,
  } = await exportGuest(store, options.folder, options.selection, found);
  console.log(`${events.length} event(s) and ${others.length} other record(s) are in ${options.folder}`);
  if (unclear > 0) {
    console.log(
      `${unclear} record(s) are no JSON: see that no other guest is in those marked check_for_other_guests before you hand them out`,
    );
  }
}

async function forget(
  store: ObjectStore,
  options: Extract<GuestsOptions, { command: 'forget' }>,
  origin: string | undefined,
): Promise<void> {
  // Before the search, which may take long.
  const key = pseudonymKey(origin !== undefined);
  await refuseUnfitKey(store, key);
  const found = await lookFor(store, options, true);
  console.log(planOf(found));
  if (!(options.agreed || (await agrees('Erase the guest? This cannot be undone.')))) return;
  const id = await requestErasure(store, options.selection, found, key);
  console.log(`\nErasure ${id} is asked for. The service carries it out whether or not this command goes on`);
  const left = () => console.error(`The service goes on with it. To see where it stands: npm run guests -- show ${id}`);
  interruption.addEventListener('abort', left);
  const record = await followErasure(store, id, {
    signal: interruption,
    say: (text) => console.log(text),
    ...(origin !== undefined && { ring: () => ringLocalClock(origin) }),
  });
  interruption.removeEventListener('abort', left);
  const { rows, lines } = countsOf(record);
  console.log(
    `${rows} row(s) in ${record.parts.length} part(s) are erased, and ${lines} line(s) elsewhere. For your files: npm run guests -- show ${id}`,
  );
}

async function lookFor(store: ObjectStore, options: SearchOptions, isPlan: boolean): Promise<Found> {
  const found = await search(store, options, interruption, (text) => console.error(text));
  process.stdout.write(
    formatTable(tableOfFound(found.hits, await columnarObjects(store, found.hits), isPlan), process.stdout.columns),
  );
  for (const doubt of doubtsAbout(found.hits)) console.log(doubt);
  return found;
}

function planOf({ through }: Found): string {
  return `
The stays stay countable: in events/ the columns of the guest and extra become null, everything else stays as it is.
The log of parts names each new object and the one that goes; loaders and npm run events -- pull follow it. parquet/ is
written again for the days that change.
What was received before ${through.toISOString()} and still waits in a queue is erased as it arrives, for ${DAYS_KEPT} days. What comes
later is not touched.`;
}
