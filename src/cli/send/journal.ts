/**
 * What has been answered, one line an event, added as the answers come: a run that was broken off goes on from here.
 * An event whose answer was lost with the process is sent again under the same Idempotency-Key.
 */

import { createReadStream, existsSync } from 'node:fs';
import { appendFile, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import type { Delivered } from './deliver.ts';
import type { Outgoing } from './outgoing.ts';

/** The notes of all runs from one source to one service. */
export interface Journal {
  /** Whether an event has its answer. */
  has(key: string): boolean;
  /** Notes an answer, and keeps the event where it was refused. */
  note(event: Outgoing, delivered: Delivered): Promise<void>;
  close(): Promise<void>;
}

/** The files of the notes. */
export interface JournalFiles {
  readonly sent: string;
  /** The refused events, as they were sent: to be mended, and sent as a file of their own. */
  readonly refused: string;
}

/** Opens the notes, and makes them when there are none. */
export async function openJournal({ sent, refused }: JournalFiles): Promise<Journal> {
  const answered = await readKeys(sent);
  await mkdir(dirname(sent), { recursive: true });
  const notes = await open(sent, 'a');
  return {
    has: (key) => answered.has(key),
    async note({ line, key, body }, { eventId, ...delivered }) {
      answered.add(key);
      if (delivered.outcome === 'refused') await appendFile(refused, `${body}\n`);
      await notes.appendFile(`${JSON.stringify({ line, key, event_id: eventId, ...delivered })}\n`);
    },
    close: () => notes.close(),
  };
}

/** The keys that are noted. The last line may be half written. */
async function readKeys(file: string): Promise<Set<string>> {
  const keys = new Set<string>();
  if (!existsSync(file)) return keys;
  for await (const line of createInterface({ input: createReadStream(file) })) {
    const key = /^\{.*?"key":"([\da-f]{32}-\d+)".*\}$/.exec(line)?.[1];
    if (key !== undefined) keys.add(key);
  }
  return keys;
}
