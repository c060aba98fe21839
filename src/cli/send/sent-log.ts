/**
 * Records the answers, one line per event, as they come: an interrupted run continues from there. An event whose answer
 * was lost with the process is sent again under the same Idempotency-Key.
 */

import { existsSync } from 'node:fs';
import { appendFile, open } from 'node:fs/promises';
import type { Delivered } from './deliver.ts';
import type { Outgoing } from './outgoing.ts';
import { readLines } from './read-lines.ts';

/** The recorded answers of all runs with one file and one service. */
export interface SentLog {
  /** Whether an event was answered. */
  has(key: string): boolean;
  /** Records an answer, and keeps the event if it was refused. @throws When the disk is full. */
  note(event: Outgoing, delivered: Delivered): Promise<void>;
}

export interface SentLogFiles {
  readonly sent: string;
  /** The refused events as sent, to be corrected and sent as a file of their own. */
  readonly refused: string;
}

/** Opens the recorded answers. There are none before the first run. */
export async function openSentLog({ sent, refused }: SentLogFiles): Promise<SentLog> {
  for (const file of [sent, refused]) await endLastLine(file);
  const answered = await readKeys(sent);
  return {
    has: (key) => answered.has(key),
    async note({ line, key, body }, { eventId, ...delivered }) {
      answered.add(key);
      if (delivered.outcome === 'refused') await appendFile(refused, `${body}\n`);
      const note = JSON.stringify({ line, key, event_id: eventId, ...delivered });
      await appendFile(sent, `${note}\n`).catch((cause: Error) => {
        throw new Error(`Cannot record answers in ${sent}, so nothing more is sent: ${cause.message}`, { cause });
      });
    },
  };
}

/** Terminates a line that a crash or a full disk left incomplete, so that the next one does not join it. */
async function endLastLine(file: string): Promise<void> {
  if (!existsSync(file)) return;
  const handle = await open(file, 'a+');
  try {
    const { size } = await handle.stat();
    const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, Math.max(0, size - 1));
    if (size > 0 && buffer.toString() !== '\n') await handle.write('\n');
  } finally {
    await handle.close();
  }
}

/** The recorded keys. An incomplete line records nothing: its event is sent again under the same key. */
async function readKeys(file: string): Promise<Set<string>> {
  const keys = new Set<string>();
  if (!existsSync(file)) return keys;
  for await (const line of readLines(file)) {
    const key = /^\{.*?"key":"([\da-f]{32}-\d+)".*\}$/.exec(line)?.[1];
    if (key !== undefined) keys.add(key);
  }
  return keys;
}
