/**
 * Records the answers, one line per event, as they come: an interrupted run continues from there. An event whose answer
 * was lost with the process is sent again under the same Idempotency-Key.
 */

import { existsSync } from 'node:fs';
import { appendFile, open } from 'node:fs/promises';
import type { Delivered } from './deliver.ts';
import type { Outgoing } from './outgoing.ts';
import { readFileLines } from './read-lines.ts';

export type SentLog = Awaited<ReturnType<typeof openSentLog>>;

export interface SentLogFiles {
  readonly sent: string;
  /** The refused events as sent, to be corrected and sent as a file of their own. */
  readonly refused: string;
}

/** Bytes read at once to find the end of the recorded answers. */
const TAIL_BYTES = 64 * 1024;

/** Disk space reserved for one answer, in bytes; most are half as long. */
const NOTE_BYTES = 512;

/** Opens the recorded answers of all runs with one file and one service. There are none before the first run. */
export async function openSentLog({ sent, refused }: SentLogFiles) {
  for (const file of [sent, refused]) await endLastLine(file);
  const answered = await readKeys(sent);
  const notes = await open(sent, existsSync(sent) ? 'r+' : 'w+');
  let end = (await notes.stat()).size;
  /** The end of the reserved space: blanks, which answers overwrite. */
  let reserved = end;
  let promised = 0;
  return {
    /** Whether an event was answered. */
    has: (key: string) => answered.has(key),
    /** Reserves disk space for the answers to this many events, before they are sent. @throws When the disk is full. */
    async reserve(events: number): Promise<void> {
      promised += events;
      const needed = end + promised * NOTE_BYTES;
      if (needed <= reserved) return;
      const from = reserved;
      reserved = needed;
      await notes.write(Buffer.alloc(needed - from, ' '), 0, needed - from, from).catch((cause: Error) => {
        throw new Error(`Cannot record answers in ${sent}, so nothing more is sent: ${cause.message}`, { cause });
      });
    },
    /** Records an answer, and keeps the event if it was refused. */
    async note(
      { line, key, body }: Pick<Outgoing, 'line' | 'key' | 'body'>,
      { eventId, ...delivered }: Delivered,
    ): Promise<void> {
      answered.add(key);
      promised -= 1;
      if (delivered.outcome === 'refused') await appendFile(refused, `${body}\n`);
      const note = Buffer.from(`${JSON.stringify({ line, key, event_id: eventId, ...delivered })}\n`);
      const at = end;
      end += note.length;
      reserved = Math.max(reserved, end);
      await notes.write(note, 0, note.length, at);
    },
    async close(): Promise<void> {
      await notes.truncate(end);
      await notes.close();
    },
  };
}

/**
 * Terminates a line that a crash or a full disk left incomplete, so that the next one does not join it, and removes the
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

/** The recorded keys. An incomplete line records nothing: its event is sent again under the same key. */
async function readKeys(file: string): Promise<Set<string>> {
  const keys = new Set<string>();
  if (!existsSync(file)) return keys;
  for await (const line of readFileLines(file)) {
    const key = /^\{.*?"key":"([\da-f]{32}-\d+)".*\}$/.exec(line)?.[1];
    if (key !== undefined) keys.add(key);
  }
  return keys;
}
