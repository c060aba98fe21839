/** Publishes from a bucket in memory that takes as long for each call as R2 does, with R2's limit of connections. */

import type { Env } from '../../../src/config.ts';
import { BATCH_PATH } from '../../../src/contract/endpoint.ts';
import worker from '../../../src/index.ts';
import type { Bucket } from '../../../src/publish/bucket.ts';
import { LIMITS } from '../../../src/publish/limits.ts';
import { publish } from '../../../src/publish/publish.ts';
import { objectKey, partitionOf } from '../../../src/storage/keys.ts';

const CALL_MS = 100;
/** Calls of one invocation that wait for an answer. */
const CONNECTIONS = 6;
const PAGE = 1_000;
const DAY = Date.parse('2026-07-10T00:00:00Z');
const HOUR_MS = 3_600_000;
const ID_BYTES = 36;
const ID_AT = '{"event_id":"'.length;

/** An object; of those in `landing/`, the body is made when it is read, so that the memory is that of the work. */
interface Stored {
  readonly size: number;
  readonly etag: string;
  readonly customMetadata: Record<string, string>;
  body(): Uint8Array;
}

const store = new Map<string, Stored>();
let order: string[] | undefined;
let etags = 0;

function put(key: string, object: Omit<Stored, 'etag'>): Stored {
  etags += 1;
  const stored = { ...object, etag: `etag-${etags}` };
  store.set(key, stored);
  order = undefined;
  return stored;
}

/** The keys from the first one after `after` on, which are sorted only when they have changed. */
function keysAfter(after: string): readonly string[] {
  order ??= [...store.keys()].sort();
  const at = order.findIndex((key) => key > after);
  return at === -1 ? [] : order.slice(at);
}

function shown(key: string, { size, etag, customMetadata }: Stored) {
  return { key, size, etag, customMetadata, uploaded: new Date(DAY) };
}

/** A bucket as one invocation has it. */
function slowBucket(): Bucket {
  let underWay = 0;
  const queue: (() => void)[] = [];
  async function call<Result>(work: () => Result): Promise<Result> {
    if (underWay === CONNECTIONS) await new Promise<void>((resolve) => queue.push(resolve));
    else underWay += 1;
    await scheduler.wait(CALL_MS);
    const next = queue.shift();
    if (next === undefined) underWay -= 1;
    else next();
    return work();
  }
  const bucket = {
    head: (key: string) => call(() => withKey(key, shown)),
    get: (key: string) =>
      call(() =>
        withKey(key, (name, object) => ({
          ...shown(name, object),
          get body() {
            return new Response(object.body()).body;
          },
          arrayBuffer: async () => object.body().buffer,
          text: async () => new TextDecoder().decode(object.body()),
        })),
      ),
    put: (key: string, value: string | Uint8Array, options: R2PutOptions & { onlyIf: R2Conditional }) =>
      call(() => {
        const before = store.get(key);
        const { etagMatches } = options.onlyIf;
        if (etagMatches === undefined ? before !== undefined : before?.etag !== etagMatches) return null;
        const bytes = typeof value === 'string' ? new TextEncoder().encode(value) : value.slice();
        const { customMetadata = {} } = options;
        return shown(key, put(key, { size: bytes.byteLength, customMetadata, body: () => bytes.slice() }));
      }),
    delete: (keys: string | string[]) =>
      call(() => {
        for (const key of [keys].flat()) store.delete(key);
        order = undefined;
      }),
    list: ({ prefix = '', cursor, startAfter = '', limit = PAGE }: R2ListOptions) =>
      call(() => {
        const from = [cursor, startAfter, prefix].filter((key) => key !== undefined).sort();
        const keys = keysAfter(from.at(-1) ?? '').filter((key) => key.startsWith(prefix));
        const objects = keys.slice(0, limit).flatMap((key) => withKey(key, shown) ?? []);
        const truncated = keys.length > limit;
        return truncated ? { objects, truncated, cursor: objects.at(-1)?.key } : { objects, truncated };
      }),
  };
  return bucket as unknown as Bucket;
}

function withKey<Result>(key: string, use: (key: string, object: Stored) => Result): Result | null {
  const object = store.get(key);
  return object === undefined ? null : use(key, object);
}

/** Fills `landing/` with objects of so many rows. */
function land(line: string, hours: number, objects: number, rows: number): void {
  store.clear();
  const before = line.slice(0, ID_AT);
  const after = line.slice(ID_AT + ID_BYTES);
  for (let at = 0; at < objects; at++) {
    const time = DAY + Math.floor((at / objects) * hours * HOUR_MS);
    const ids = (row: number) => {
      const milliseconds = time.toString(16).padStart(12, '0');
      const count = (at * rows + row).toString(16).padStart(12, '0');
      return `${milliseconds.slice(0, 8)}-${milliseconds.slice(8)}-7000-8000-${count}`;
    };
    const body = () =>
      new TextEncoder().encode(Array.from({ length: rows }, (_, row) => before + ids(row) + after).join(''));
    put(objectKey('landing', partitionOf(new Date(time)), ids(0)), {
      size: line.length * rows,
      customMetadata: {},
      body,
    });
  }
}

export default {
  async fetch(request, env, context): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === BATCH_PATH) return worker.fetch(request, env, context);
    if (request.method !== 'PUT') return new Response(null, { status: 204 });
    const [hours = 1, objects = 1, rows = 1] = ['hours', 'objects', 'rows'].map((name) =>
      Number(searchParams.get(name)),
    );
    land(await request.text(), hours, objects, rows);
    const clock = { now: () => Date.now(), wait: (milliseconds: number) => scheduler.wait(milliseconds) };
    const started = Date.now();
    const total = { runs: 0, parts: 0, rows: 0, sources: 0 };
    for (let ended = 'more'; ended === 'more'; ) {
      const run = await publish(slowBucket(), clock, LIMITS);
      ended = run.ended;
      total.runs += 1;
      total.parts += run.parts;
      total.rows += run.rows;
      total.sources += run.sources;
    }
    return Response.json({ ...total, seconds: (Date.now() - started) / 1_000 });
  },
} satisfies ExportedHandler<Env>;
