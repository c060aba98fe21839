/** The progress of a search in a file that holds no value of the guest: one line for each searched object. */

import { randomBytes, scryptSync, timingSafeEqual } from 'node:crypto';
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import * as v from 'valibot';
import { parseStored } from '../parse-stored.ts';
import { PLACES } from './places.ts';

const HitSchema = v.object({
  place: v.picklist(PLACES),
  key: v.string(),
  /** Line number in the object, from 0. */
  line: v.number(),
  /** Null if the line is not an event. */
  event_id: v.nullable(v.string()),
  /** The kinds of the identifiers that matched. */
  by: v.array(v.string()),
  /** Whether the row is the guest's own stay; false if another guest's row names them in a comment or in `extra`. */
  own: v.boolean(),
});

/** A line that matches the guest. */
export type Hit = v.InferOutput<typeof HitSchema>;

const HeadSchema = v.object({
  /** When the search was first started. */
  started_at: v.string(),
  /** Last sequence number of the log of parts at that time. */
  log_through: v.number(),
  salt: v.string(),
  /** A digest of the question; slow to compute, so that nobody can recover the guest by guessing. */
  check: v.string(),
});

const SearchedSchema = v.object({
  hits: v.array(HitSchema),
  /** Lines of which only the beginning was read; a match in the rest is missed. */
  cut: v.number(),
  /** Whether the object cannot be read to its end. */
  is_damaged: v.boolean(),
});

/** The result for one object. */
export type Searched = v.InferOutput<typeof SearchedSchema>;

const DoneSchema = v.object({ key: v.string(), ...SearchedSchema.entries });

/** When a search began, and where the log of parts ended at that time. */
export interface SearchStart {
  readonly startedAt: Date;
  readonly logThrough: number;
}

/** The state of a search that can be resumed. */
export interface Checkpoint extends SearchStart {
  /** The results of earlier runs, by object key. */
  readonly done: ReadonlyMap<string, Searched>;
  /** Records that an object was searched. */
  note(key: string, searched: Searched): Promise<void>;
}

/**
 * Opens the checkpoint of a search, creating the file if it does not exist.
 *
 * @param file - Without one, nothing is kept.
 * @param question - What the search looks for, as one text.
 * @throws When the file belongs to another search or is damaged.
 */
export async function openCheckpoint(
  file: string | undefined,
  question: string,
  start: () => Promise<SearchStart>,
): Promise<Checkpoint> {
  if (file === undefined) return { ...(await start()), done: new Map(), note: async () => {} };
  const note = (key: string, searched: Searched) => appendFile(file, `${JSON.stringify({ key, ...searched })}\n`);
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return undefined;
  });
  if (text === undefined) {
    const { startedAt, logThrough } = await start();
    const salt = randomBytes(16).toString('hex');
    const head: v.InferInput<typeof HeadSchema> = {
      started_at: startedAt.toISOString(),
      log_through: logThrough,
      salt,
      check: checkOf(question, salt).toString('hex'),
    };
    await writeFile(file, `${JSON.stringify(head)}\n`, { mode: 0o600, flag: 'wx' });
    return { startedAt, logThrough, done: new Map(), note };
  }
  // An incomplete last line was cut off when the command was killed.
  const [first = '', ...lines] = text
    .slice(0, text.lastIndexOf('\n') + 1)
    .split('\n')
    .filter(Boolean);
  const head = parseStored(HeadSchema, first);
  if (!head.ok || !timingSafeEqual(checkOf(question, head.value.salt), Buffer.from(head.value.check, 'hex'))) {
    throw new Error(`Cannot go on from ${file}: it belongs to another search; name another file, or delete it`);
  }
  if (!text.endsWith('\n')) await writeFile(file, `${[first, ...lines].join('\n')}\n`, { mode: 0o600 });
  const entries = lines.map((line, at) => {
    const entry = parseStored(DoneSchema, line);
    if (entry.ok) return entry.value;
    throw new Error(`Cannot go on from ${file}: line ${at + 2} is damaged; delete the file to start the search again`);
  });
  return {
    startedAt: new Date(head.value.started_at),
    logThrough: head.value.log_through,
    done: new Map(entries.map(({ key, ...searched }) => [key, searched])),
    note,
  };
}

function checkOf(question: string, salt: string): Buffer {
  return scryptSync(question, salt, 32);
}
