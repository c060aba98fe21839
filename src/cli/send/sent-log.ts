/**
 * What has been answered, one line an event, added as the answers come: a run that was broken off goes on from here.
 * An event whose answer was lost with the process is sent again under the same Idempotency-Key.
 */

import { existsSync } from 'node:fs';
import { appendFile, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Delivered } from './deliver.ts';
import type { Outgoing } from './outgoing.ts';
import { readLines } from './read-lines.ts';

/** The notes of all runs from one source to one service. */
export interface SentLog {
  /** Whether an event has its answer. */
  has(key: string): boolean;
  /** Takes room on the disk for the answers to a number of events, before they are sent. @throws When there is none. */
  reserve(events: number): Promise<void>;
  /** Notes an answer, and keeps the event where it was refused. */
  note(event: Outgoing, delivered: Delivered): Promise<void>;
  close(): Promise<void>;
}

/** The files of the notes. */
export interface SentLogFiles {
  readonly sent: string;
  /** The refused events, as they were sent: to be corrected, and sent as a file of their own. */
  readonly refused: string;
}

/** How much is read at once to find the end of the notes. */
const TAIL_BYTES = 64 * 1024;

/** The room that is taken for a note, in bytes; most are half as long. */
const NOTE_BYTES = 512;

/** Opens the notes, and makes them when there are none. */
export async function openSentLog({ sent, refused }: SentLogFiles): Promise<SentLog> {
  await mkdir(dirname(sent), { recursive: true });
  for (const file of [sent, refused]) await endLastLine(file);
  const answered = await readKeys(sent);
  const notes = await open(sent, existsSync(sent) ? 'r+' : 'w+');
  let end = (await notes.stat()).size;
  /** Up to where there is room: blanks, which notes are written over. */
  let reserved = end;
  let promised = 0;
  return {
    has: (key) => answered.has(key),
    async reserve(events) {
      promised += events;
      const needed = end + promised * NOTE_BYTES;
      if (needed <= reserved) return;
      const from = reserved;
      reserved = needed;
      await notes.write(Buffer.alloc(needed - from, ' '), 0, needed - from, from).catch((cause: Error) => {
        throw new Error(`Cannot note answers in ${sent}, so nothing more is sent: ${cause.message}`, { cause });
      });
    },
    async note({ line, key, body }, { eventId, ...delivered }) {
      answered.add(key);
      promised -= 1;
      if (delivered.outcome === 'refused') await appendFile(refused, `${body}\n`);
      const note = Buffer.from(`${JSON.stringify({ line, key, event_id: eventId, ...delivered })}\n`);
      const at = end;
      end += note.length;
      reserved = Math.max(reserved, end);
      await notes.write(note, 0, note.length, at);
    },
    async close() {
      await notes.truncate(end);
      await notes.close();
    },
  };
}

/**
 * Ends a line that a crash or a full disk left half written, so that the next one does not join it, and takes away the
 * blanks behind it.
 */
async function endLastLine(file: string): Promise<void> {
  if (!existsSync(file)) return;
  const handle = await open(file, 'r+');
  try {
    const { size } = await handle.stat();
    let end = size;
    let last = '';
    while (end > 0 && (last === '' || last === ' ')) {
      const from = Math.max(0, end - TAIL_BYTES);
      const { buffer } = await handle.read(Buffer.alloc(end - from), 0, end - from, from);
      const text = buffer.toString('latin1').replace(/ +$/, '');
      end = from + text.length;
      last = text.at(-1) ?? '';
    }
    await handle.truncate(end);
    if (end > 0 && last !== '\n') await handle.write('\n', end);
  } finally {
    await handle.close();
  }
}

/** The keys that are noted. A line that is half written notes nothing: its event is sent again under the same key. */
async function readKeys(file: string): Promise<Set<string>> {
  const keys = new Set<string>();
  if (!existsSync(file)) return keys;
  for await (const line of readLines(file)) {
    const key = /^\{.*?"key":"([\da-f]{32}-\d+)".*\}$/.exec(line)?.[1];
    if (key !== undefined) keys.add(key);
  }
  return keys;
}
