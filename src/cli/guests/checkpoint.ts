/** The progress of a search in a file that holds no value of the guest: an SQLite database. */

import { randomBytes, scryptSync } from 'node:crypto';
import { closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { Place } from './places.ts';

/** A line that matches the guest. */
export interface Hit {
  readonly place: Place;
  readonly key: string;
  /** Line number in the object, from 0. */
  readonly line: number;
  /** Null if the line is not an event. */
  readonly event_id: string | null;
  /** The kinds of the identifiers that matched. */
  readonly by: readonly string[];
  /** Whether the row is the guest's own stay; false if another guest's row names them in a comment or in `extra`. */
  readonly own: boolean;
}

/** The result for one object. */
export interface Searched {
  readonly hits: readonly Hit[];
  /** Lines of which only the beginning was read; a match in the rest is missed. */
  readonly cut: number;
  /** Whether the object cannot be read to its end. */
  readonly is_damaged: boolean;
}

/** When a search began, and the last sequence number of the log of parts at that time. */
export interface SearchStart {
  readonly startedAt: Date;
  readonly logThrough: number;
}

/**
 * `question` is a digest of what is looked for; slow to compute, so that nobody can recover the guest by guessing.
 *
 * Without waiting for the disk, a search that is killed loses nothing, and a power failure may damage the file.
 */
const TABLES = `
PRAGMA synchronous = OFF;
CREATE TABLE IF NOT EXISTS search (started_at TEXT, log_through INTEGER, salt BLOB, question BLOB) STRICT;
CREATE TABLE IF NOT EXISTS searched (key TEXT PRIMARY KEY, result TEXT) STRICT`;

/**
 * Opens the checkpoint of a search, creating the file if it does not exist.
 *
 * @param file - Without one, nothing is kept.
 * @param question - What the search looks for, as one text.
 * @returns The start of the search, the results of earlier runs by object key, and a function that records another.
 * @throws When the file belongs to another search or is damaged.
 */
export async function openCheckpoint(file: string | undefined, question: string, start: () => Promise<SearchStart>) {
  // SQLite would create a file that others can read.
  if (file !== undefined) closeSync(openSync(file, 'a', 0o600));
  const refusal = `Cannot go on from ${file}: it belongs to another search; name another file, or delete it`;
  const database = new DatabaseSync(file ?? ':memory:');
  try {
    database.exec(TABLES);
  } catch (cause) {
    throw new Error(refusal, { cause });
  }
  const begun = database.prepare('SELECT * FROM search');
  if (begun.get() === undefined) {
    const { startedAt, logThrough } = await start();
    const salt = randomBytes(16);
    const values = [startedAt.toISOString(), logThrough, salt, scryptSync(question, salt, 32)];
    database.prepare('INSERT INTO search VALUES (?, ?, ?, ?)').run(...values);
  }
  const { started_at: startedAt, log_through: logThrough, salt, question: asked } = begun.get() ?? {};
  if (!(salt instanceof Uint8Array && asked instanceof Uint8Array && scryptSync(question, salt, 32).equals(asked))) {
    throw new Error(refusal);
  }
  const rows = database.prepare('SELECT key, result FROM searched').all();
  const insert = database.prepare('INSERT OR REPLACE INTO searched VALUES (?, ?)');
  return {
    startedAt: new Date(String(startedAt)),
    logThrough: Number(logThrough),
    done: new Map<string, Searched>(rows.map(({ key, result }) => [String(key), JSON.parse(String(result))])),
    note: (key: string, searched: Searched): void => void insert.run(key, JSON.stringify(searched)),
  };
}
