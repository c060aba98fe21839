/** What article 15 of the GDPR asks for: a copy of what is kept of one guest, to read and to process. */

import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { textOfBody } from '../../guests/body-text.ts';
import { holdsBody } from '../../guests/line-identifiers.ts';
import { type GuestSelection, wantedIdentifiers } from '../../guests/selection.ts';
import type { ReadableStore } from '../object-store.ts';
import type { Hit } from './checkpoint.ts';
import type { GuestCopy, GuestRecord } from './guest-copy.ts';
import { guestPage } from './guest-page.ts';
import { guestPartOfRow, partOfJson } from './guest-part.ts';
import { readLines } from './read-lines.ts';
import type { Found } from './search.ts';

/**
 * Writes the copy as `guest.html` and `guest.json` into a folder that only its owner can read.
 *
 * @returns The copy.
 */
export async function exportGuest(
  store: Pick<ReadableStore, 'read'>,
  folder: string,
  selection: GuestSelection,
  { hits, through }: Found,
): Promise<GuestCopy> {
  const wanted = wantedIdentifiers(selection);
  const events: GuestRecord[] = [];
  const others: GuestRecord[] = [];
  let unclear = 0;
  for (const [key, inObject] of Map.groupBy(hits, (hit) => hit.key)) {
    const lines = new Map(inObject.map((hit) => [hit.line, hit]));
    for await (const { number, text } of (await readLines(store, key)) ?? []) {
      const hit = lines.get(number);
      if (hit !== undefined) await add(hit, text);
    }
  }
  events.sort((left, right) => (String(left.event_id) < String(right.event_id) ? -1 : 1));
  const copy: GuestCopy = {
    made_at: new Date().toISOString(),
    received_before: through.toISOString(),
    events,
    other_records: others,
    to_be_checked: unclear,
  };
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // One that was there may be open to others.
  await chmod(folder, 0o700);
  await save('guest.json', `${JSON.stringify(copy, undefined, 2)}\n`);
  await save('guest.html', guestPage(copy));
  return copy;

  async function add({ place }: Hit, text: string): Promise<void> {
    const record = asRecord(text);
    if (record !== undefined && 'event_id' in record) {
      events.push(guestPartOfRow(record, wanted));
      return;
    }
    const sender = typeof record?.sender === 'string' ? record.sender : '?';
    const body = record !== undefined && holdsBody(record) ? await textOfBody(record) : text;
    const part = partOfJson(body, wanted, sender);
    if (part === undefined) unclear += 1;
    const { body: _, body_encoding: __, ...about } = record !== undefined && holdsBody(record) ? record : {};
    others.push({ kept_in: `${place}/`, ...about, check_for_other_guests: part === undefined, body: part ?? body });
  }

  async function save(name: string, text: string): Promise<void> {
    const file = join(folder, name);
    await writeFile(file, text, { mode: 0o600 });
    await chmod(file, 0o600);
  }
}

function asRecord(text: string): GuestRecord | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
