/** Writes the table into a bucket in memory, so that nothing but the work itself is measured. */

import type { Env } from '../../../src/config.ts';
import { BATCH_PATH } from '../../../src/contract/endpoint.ts';
import worker from '../../../src/index.ts';
import { createManifestReader } from '../../../src/storage/iceberg/snapshot.ts';
import { currentSnapshot, keyOf, readTable, TABLE_DATA } from '../../../src/storage/iceberg/table.ts';
import { createGuests } from '../../../src/table/guests.ts';
import { TABLE_LIMITS } from '../../../src/table/limits.ts';
import { runTable } from '../../../src/table/run-table.ts';
import type { Bucket } from '../../../src/table/tools.ts';

interface Kept {
  readonly key: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly etag: string;
  readonly uploaded: Date;
  readonly customMetadata: Record<string, string>;
}

const objects = new Map<string, Kept>();
/** The keys in order; undefined when they have changed. */
let keys: string[] | undefined;
let operations = { classA: 0, classB: 0 };
let [puts, now] = [0, Date.now()];
/** Whether the bodies of data files are kept: they would count as memory that is in use. */
let keepsFiles = true;

async function bytesOf(value: unknown): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await new Response(value as BodyInit).arrayBuffer());
}

/** Lets the inspector look at the memory, as waiting for R2 would. */
const turn = () => new Promise<void>((resolve) => setTimeout(resolve));

/** As much of R2 as the table needs. */
const bucket = {
  async get(key: string) {
    operations.classB += 1;
    await turn();
    const object = objects.get(key);
    if (object === undefined) return null;
    const response = new Response(object.bytes);
    return {
      ...object,
      size: object.bytes.length,
      body: response.body,
      text: () => response.text(),
      arrayBuffer: () => response.arrayBuffer(),
    };
  },
  async head(key: string) {
    operations.classB += 1;
    await turn();
    return objects.get(key) ?? null;
  },
  async put(key: string, value: unknown, options: R2PutOptions = {}) {
    operations.classA += 1;
    await turn();
    const { etagDoesNotMatch } = (options.onlyIf ?? {}) as R2Conditional;
    if (etagDoesNotMatch === '*' && objects.has(key)) return null;
    const customMetadata = options.customMetadata ?? {};
    const bytes = keepsFiles || !key.startsWith(TABLE_DATA) ? await bytesOf(value) : new Uint8Array();
    const object = { key, bytes, etag: String(puts++), uploaded: new Date(now), customMetadata };
    if (!objects.has(key)) keys = undefined;
    objects.set(key, object);
    return object;
  },
  async list({ prefix = '', startAfter = '', cursor = '', limit = 1_000 }: R2ListOptions) {
    operations.classA += 1;
    await turn();
    keys ??= [...objects.keys()].sort();
    const after = cursor > startAfter ? cursor : startAfter;
    const all = keys.filter((key) => key.startsWith(prefix) && key > after);
    const page = all.slice(0, limit).map((key) => objects.get(key));
    return all.length > limit
      ? { objects: page, truncated: true, cursor: all[limit - 1] }
      : { objects: page, truncated: false };
  },
  async delete(gone: string | string[]) {
    for (const key of [gone].flat()) objects.delete(key);
    keys = undefined;
  },
} as unknown as Bucket;

async function run() {
  operations = { classA: 0, classB: 0 };
  const result = await runTable({
    bucket,
    location: 's3://reservation-events/iceberg/events',
    clock: { now: () => now, wait: async () => {} },
    guests: createGuests('kept', undefined),
    limits: TABLE_LIMITS,
  });
  return { ...result, ...operations };
}

/** The keys of the data files of the current snapshot. */
async function liveFiles(): Promise<string[]> {
  const table = await readTable(bucket);
  if (table === undefined) return [];
  const { location } = table.metadata;
  const files = await createManifestReader({ bucket, location }).files(currentSnapshot(table));
  return files.map(({ file_path }) => keyOf(table.metadata, file_path));
}

export default {
  async fetch(request, env, context) {
    const { pathname, searchParams: query } = new URL(request.url);
    if (pathname === BATCH_PATH) return worker.fetch(request, env, context);
    const [key, time, prefix] = ['key', 'time', 'prefix'].map((name) => query.get(name));
    if (time) now = Number(time);
    if (query.has('forget')) keepsFiles = false;
    if (prefix) {
      const found = [...objects.values()].filter((object) => object.key.startsWith(prefix));
      return Response.json(found.map((object) => ({ key: object.key, bytes: object.bytes.length })));
    }
    if (query.has('live')) return Response.json(await liveFiles());
    if (!key) return Response.json(await run());
    if (request.method === 'GET') return new Response(objects.get(key)?.bytes ?? null);
    // What a record of the log says of itself, as the publisher writes it.
    const of = query.get('of');
    await bucket.put(key, await request.arrayBuffer(), of === null ? {} : { customMetadata: { key: of } });
    return new Response(null, { status: 204 });
  },
} satisfies ExportedHandler<Env>;
