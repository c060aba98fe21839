/** What tests of the publisher land, and how they read what was published. */

import { env } from 'cloudflare:workers';
import { v7 } from 'uuid';
import { createObject } from '../../src/storage/create-object.ts';
import { newEventId } from '../../src/storage/event-id.ts';
import { eventsPrefix, landingPrefix, objectKey, partitionOf } from '../../src/storage/keys.ts';
import { type Line, toLine } from '../../src/storage/line.ts';
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

/** A clock that stands still and never waits. */
export function clockAt(time: number) {
  return { now: () => time, wait: () => Promise.resolve() };
}

/** A line of an event that was received at this time. */
export function lineAt(time: number, more: Readonly<Record<string, unknown>> = {}): Line {
  return toLine(sampleRow({ ...FULL_EVENT, ...more }, v7({ msecs: time })));
}

/** Lands lines of one partition as one object. */
export async function land(lines: readonly string[], partition = PARTITION): Promise<string> {
  const key = objectKey('landing', partition, newEventId());
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
  const texts = await Promise.all((await keysUnder(prefix)).map(readPart));
  return texts.flatMap((text) => text.match(/.*\n/g) ?? []);
}

/** The keys of what is left of a partition in `landing/`. */
export function landed(partition = PARTITION): Promise<string[]> {
  return keysUnder(landingPrefix(partition));
}

async function readPart(key: string): Promise<string> {
  const object = await env.BUCKET.get(key);
  if (object === null) throw new Error(`${key} is not there`);
  return new Response(object.body.pipeThrough(new DecompressionStream('gzip'))).text();
}
