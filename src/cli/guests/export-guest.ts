/** The copy that article 15 of the GDPR asks for: everything stored about one guest, readable and machine-readable. */

import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type GuestSelection, wantedIdentifiers } from '../../guests/selection.ts';
import { makeFolder } from '../make-folder.ts';
import type { ReadableStore } from '../object-store.ts';
import { textOfBody } from './body-text.ts';
import { type Divided, divideBody, divideRow, type Undecided } from './divide.ts';
import { type GuestCopy, type GuestRecord, guestPage } from './guest-page.ts';
import { keptBodyOf, keptRowOf } from './kept-line.ts';
import type { Place } from './places.ts';
import { readHits } from './read-lines.ts';
import type { Found } from './search.ts';

/**
 * Writes `guest.html` and `guest.json` into a folder that only its owner can read, and `decide.json` with the values
 * that cannot be attributed to the guest. `decide.json` must not be handed out.
 */
export async function exportGuest(
  store: Pick<ReadableStore, 'get'>,
  folder: string,
  selection: GuestSelection,
  { hits, startedAt, through }: Found,
) {
  const wanted = wantedIdentifiers(selection);
  const events: GuestRecord[] = [];
  const others: GuestRecord[] = [];
  /** With the object and the line number in it, from 0. */
  const toDecide: (Undecided & { readonly key: string; readonly line: number })[] = [];
  for await (const { hit, text } of readHits(store, hits)) {
    const { kept, undecided } = await divideLine(hit.place, text, wanted);
    toDecide.push(...undecided.map((each) => ({ key: hit.key, line: hit.line, ...each })));
    if (kept !== undefined) (hit.event_id === null ? others : events).push(kept);
  }
  events.sort((left, right) => (String(left.event_id) < String(right.event_id) ? -1 : 1));
  const copy: GuestCopy = {
    made_at: startedAt.toISOString(),
    received_before: through.toISOString(),
    events,
    other_records: others,
  };
  makeFolder(folder);
  // An existing folder may be open to others.
  await chmod(folder, 0o700);
  await save('guest.json', `${JSON.stringify(copy, undefined, 2)}\n`);
  await save('guest.html', guestPage(copy));
  await save('decide.json', `${JSON.stringify(toDecide, undefined, 2)}\n`);
  return { copy, toDecide };

  async function save(name: string, text: string): Promise<void> {
    const file = join(folder, name);
    await writeFile(file, text, { mode: 0o600 });
    await chmod(file, 0o600);
  }
}

/** Divides a line into what can be handed out (undefined if nothing can) and what a person has to decide on. */
async function divideLine(
  place: Place,
  text: string,
  wanted: ReadonlySet<string>,
): Promise<Divided & { readonly kept: GuestRecord | undefined }> {
  const row = keptRowOf(place, text);
  if (row !== undefined) return divideRow(row, wanted);
  const record = keptBodyOf(place, text);
  if (record === undefined) return { kept: undefined, undecided: divideBody(text, wanted).undecided };
  const { kept, undecided } = divideBody((await textOfBody(record)).text, wanted);
  // The idempotency key is left out: it is the sender's text.
  const { body: _, body_encoding: __, content_encoding: ___, idempotency_key: ____, ...about } = record;
  return { kept: kept === undefined ? undefined : { kept_in: `${place}/`, ...about, body: kept }, undecided };
}
