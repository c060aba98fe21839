/** How far a search is, in a file without any value of the guest: a line for each object that was searched. */

import { randomBytes, scryptSync, timingSafeEqual } from 'node:crypto';
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import * as v from 'valibot';
import { parseObject } from '../parse-object.ts';
import { PLACES } from './places.ts';

const HitSchema = v.object({
  place: v.picklist(PLACES),
  key: v.string(),
  /** The place of the line in the object, counted from 0. */
  line: v.number(),
  /** Of an event. */
  event_id: v.nullable(v.string()),
  /** The kinds of the identifiers by which it was found. */
  by: v.array(v.string()),
  /** Whether it is the stay of the guest; false where another's row names them in a comment or in `extra`. */
  own: v.boolean(),
});

/** A line in which the guest is. */
export type Hit = v.InferOutput<typeof HitSchema>;

const HeadSchema = v.object({
  /** When the search began first. */
  started_at: v.string(),
  /** The last sequence of the log of parts then. */
  log_through: v.number(),
  salt: v.string(),
  /** A digest of what is looked for; slow to compute, so that nobody can find the guest by guessing. */
  check: v.string(),
});

const SearchedSchema = v.object({
  hits: v.array(HitSchema),
  /** How many lines hold more than is read: a guest in the rest is not seen. */
  cut: v.number(),
  /** Whether the object cannot be read to its end. */
  is_damaged: v.boolean(),
});

/** What was found in an object. */
export type Searched = v.InferOutput<typeof SearchedSchema>;

const DoneSchema = v.object({ key: v.string(), ...SearchedSchema.entries });

/** When a search began, and where the log of parts ended then. */
export interface SearchStart {
  readonly startedAt: Date;
  readonly logThrough: number;
}

/** A search that can be interrupted. */
export interface Checkpoint extends SearchStart {
  /** What was found by object, in those that were searched before. */
  readonly done: ReadonlyMap<string, Searched>;
  /** Notes that an object was searched. */
  note(key: string, searched: Searched): Promise<void>;
}

/**
 * Opens the file of a search, and makes it when there is none.
 *
 * @param file - Undefined keeps nothing.
 * @param question - What is looked for, as one text.
 * @throws When the file belongs to another search.
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
  // What follows the last end of a line was cut off when the command was killed.
  const [first = '', ...lines] = text
    .slice(0, text.lastIndexOf('\n') + 1)
    .split('\n')
    .filter(Boolean);
  const head = parseObject(HeadSchema, first);
  if (!head.ok || !timingSafeEqual(checkOf(question, head.value.salt), Buffer.from(head.value.check, 'hex'))) {
    throw new Error(`Cannot go on from ${file}: it is not of this search; name another file, or delete it`);
  }
  if (!text.endsWith('\n')) await writeFile(file, `${[first, ...lines].join('\n')}\n`, { mode: 0o600 });
  const entries = lines.map((line, at) => {
    const entry = parseObject(DoneSchema, line);
    if (entry.ok) return entry.value;
    throw new Error(
      `Cannot go on from ${file}: line ${at + 2} is damaged; delete the file, and the search begins anew`,
    );
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
