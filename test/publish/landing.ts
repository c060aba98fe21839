/** What tests of the publisher land, and how they read what was published. */

import { env } from 'cloudflare:workers';
import { gunzipSync } from 'node:zlib';
import { v7 } from 'uuid';
import * as v from 'valibot';
import { createObject } from '../../src/storage/create-object.ts';
import { uuidv7 } from '../../src/storage/event-id.ts';
import {
  eventsPrefix,
  LOG_PREFIX,
  landingPrefix,
  logKey,
  objectKey,
  partitionIn,
  partitionOf,
} from '../../src/storage/keys.ts';
import { type Line, toLine } from '../../src/storage/line.ts';
import { type LogEntry, LogEntrySchema } from '../../src/storage/log-entry.ts';
import { FULL_EVENT } from '../sample.ts';
import { sampleRow } from '../sample-row.ts';

/** An hour that is long over. */
export const HOUR = Date.parse('2026-07-10T09:00:00.000Z');
export const PARTITION = partitionOf(new Date(HOUR));
export const HOUR_MS = 3_600_000;
export const MINUTE_MS = 60_000;

/** A time at which everything that has landed is due. */
export function later(minutes = 60): number {
  return Date.now() + minutes * MINUTE_MS;
}

/** A line of an event that was received at this time. */
export function lineAt(time: number, more: Readonly<Record<string, unknown>> = {}): Line {
  return toLine(sampleRow({ ...FULL_EVENT, ...more }, v7({ msecs: time })));
}

/** The event_id of a line. */
export const idOf = (line: string) => line.slice(13, 49);

/** Lands lines of one partition as one object. */
export async function land(lines: readonly string[], partition = PARTITION): Promise<string> {
  const key = objectKey('landing', partition, uuidv7());
  await createObject(env.BUCKET, key, lines);
  return key;
}

/** The keys under a prefix. */
export async function keysUnder(prefix: string): Promise<string[]> {
  const { objects } = await env.BUCKET.list({ prefix });
  return objects.map(({ key }) => key);
}

/** Empties the bucket, much faster than a reset of everything. */
export async function emptyBucket(): Promise<void> {
  await env.BUCKET.delete(await keysUnder(''));
}

/** All lines that have been published, of one partition or of all. */
export async function publishedLines(partition?: string): Promise<string[]> {
  const prefix = partition === undefined ? 'events/v1/dt=' : eventsPrefix(partition);
  return (await Promise.all((await keysUnder(prefix)).map(linesOfPart))).flat();
}

/** The lines of one part. */
export async function linesOfPart(key: string): Promise<string[]> {
  return (await readPart(key)).match(/.*\n/g) ?? [];
}

/** The entries of the log, in the order of their keys. Throws when one is no entry, or lies under another's key. */
export async function readLog(): Promise<LogEntry[]> {
  const entries: LogEntry[] = [];
  for (const key of await keysUnder(LOG_PREFIX)) {
    const object = await env.BUCKET.get(key);
    const entry = v.parse(LogEntrySchema, await object?.json());
    if (logKey(entry.sequence) !== key) throw new Error(`${key} has the entry of ${entry.sequence}`);
    entries.push(entry);
  }
  return entries;
}

/**
 * What is wrong with the log: gaps, parts without an entry or with two, entries that are not true of their part, and
 * those of a part that is not there and was not replaced.
 */
export async function faultsOfLog(): Promise<string[]> {
  const entries = await readLog();
  const parts = await keysUnder('events/v1/dt=');
  const faults = entries.filter(({ sequence }, at) => sequence !== at + 1).map(({ sequence }) => `gap: ${sequence}`);
  for (const key of parts) {
    const its = entries.filter((entry) => entry.key === key);
    if (its.length !== 1) faults.push(`${its.length} entries: ${key}`);
    const truth = await describeObject(key);
    for (const { operation, replaces, ...entry } of its) {
      if (JSON.stringify({ ...entry, ...truth }) !== JSON.stringify(entry)) faults.push(`untrue: ${entry.sequence}`);
    }
  }
  const replaced = entries.map(({ replaces }) => replaces);
  const gone = entries.filter(({ key }) => !parts.includes(key) && !replaced.includes(key));
  faults.push(...gone.map(({ key }) => `no part: ${key}`));
  return faults;
}

/** The lines that a reader has who follows the log: those of the parts that are in it and were not replaced. */
export async function followedLines(): Promise<string[]> {
  const keys = new Set<string>();
  for (const { key, replaces } of await readLog()) {
    keys.add(key);
    if (replaces !== null) keys.delete(replaces);
  }
  const texts = await Promise.all([...keys].map(readPart));
  return texts.flatMap((text) => text.match(/.*\n/g) ?? []);
}

/** What the log has to say about a part, found in another way than the publisher does. */
async function describeObject(key: string) {
  const object = await env.BUCKET.get(key);
  const bytes = await object?.arrayBuffer();
  const rows = (await linesOfPart(key)).map((line) => v.parse(RowIds, JSON.parse(line)));
  const ids = rows.map(({ event_id }) => event_id).sort();
  const times = rows.map(({ received_at }) => received_at).sort();
  return {
    partition: partitionIn(key),
    rows: rows.length,
    bytes: bytes?.byteLength,
    sha256: new Uint8Array(await crypto.subtle.digest('SHA-256', bytes ?? new ArrayBuffer(0))).toHex(),
    first_event_id: ids[0],
    last_event_id: ids.at(-1),
    first_received_at: times[0],
    last_received_at: times.at(-1),
    schema_versions: [...new Set(rows.map(({ schema_version }) => schema_version))].sort(),
  };
}

const RowIds = v.object({ event_id: v.string(), received_at: v.string(), schema_version: v.number() });

/** The keys of what is left of a partition in `landing/`. */
export function landed(partition = PARTITION): Promise<string[]> {
  return keysUnder(landingPrefix(partition));
}

async function readPart(key: string): Promise<string> {
  const object = await env.BUCKET.get(key);
  if (object === null) throw new Error(`${key} is not there`);
  return gunzipSync(await object.bytes()).toString();
}

/** The lines of an object of `landing/`. */
export async function linesOfObject(key: string): Promise<string[]> {
  const object = await env.BUCKET.get(key);
  return (await object?.text())?.match(/.*\n/g) ?? [];
}
