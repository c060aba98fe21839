/**
 * Reading landing objects in several invocations at once. A read of R2 takes some 100 ms and an invocation has six
 * connections, so one alone reads about 50 objects a second.
 */

import type { Bucket } from './bucket.ts';
import { fromFrames } from './frames.ts';
import type { Limits } from './limits.ts';
import { type Read, readInOrder, type Source } from './read-in-order.ts';

/** Reads objects in an invocation of its own. */
export interface Reader extends Partial<Disposable> {
  read(
    sources: readonly Source[],
    limits: Pick<Limits, 'readsAhead' | 'readAheadBytes'>,
  ): Promise<ReadableStream<Uint8Array>>;
}

/** Makes invocations that read; `ctx.exports.SourceReader` is one. */
export interface ReaderSource {
  open(): Promise<Reader>;
}

/** How a run reads landing objects. */
export interface Readers extends AsyncDisposable {
  /** Reads objects in this order: many with the help of further invocations, few without. */
  read(sources: readonly Source[], limits: Limits): AsyncGenerator<Read>;
}

/**
 * Prepares reading. Invocations are made when they are needed, and used again until this is disposed of.
 *
 * @param source - Undefined where there are no further invocations; then all is read in this one.
 */
export function openReaders(bucket: Pick<Bucket, 'get'>, source: ReaderSource | undefined): Readers {
  const opened: Promise<Reader>[] = [];
  let next = 0;

  /** Takes turns, so that what is read at once is read by different ones. */
  function take(source: ReaderSource, most: number): Promise<Reader> {
    const at = next % most;
    next += 1;
    const reader = opened[at] ?? source.open();
    opened[at] = reader;
    reader.catch(() => undefined);
    return reader;
  }

  return {
    read(sources, limits) {
      const count = readersFor(sources, limits);
      if (source === undefined || count === 0) return readInOrder(bucket, sources, limits);
      const readers = Array.from({ length: count }, () => take(source, limits.readers));
      return readFannedOut(readers, sources, limits);
    },
    async [Symbol.asyncDispose]() {
      for (const reader of await Promise.allSettled(opened)) {
        if (reader.status === 'fulfilled') reader.value[Symbol.dispose]?.();
      }
    },
  };
}

/**
 * How many invocations are worth while for these objects. All of them share the memory of one isolate, so the larger
 * the objects, the fewer are read at once.
 */
export function readersFor(
  sources: readonly Source[],
  { readers, readerSources, readAheadBytes }: Pick<Limits, 'readers' | 'readerSources' | 'readAheadBytes'>,
): number {
  const largest = sources.map(({ bytes }) => bytes).sort((left, right) => right - left);
  const most = Math.min(readers, Math.floor(sources.length / readerSources));
  let count = 0;
  for (let bytes = 0; count < most; count++) {
    bytes += largest[count] ?? 0;
    if (bytes > readAheadBytes) break;
  }
  return count;
}

/** Deals the objects out in turn, so that all invocations are busy until the end, and takes them back in order. */
async function* readFannedOut(
  readers: readonly Promise<Reader>[],
  sources: readonly Source[],
  { readsAhead, readAheadBytes }: Limits,
): AsyncGenerator<Read> {
  const count = readers.length;
  const limits = { readsAhead, readAheadBytes: Math.floor(readAheadBytes / count) };
  const lanes = readers.map((reader, lane) => {
    const share = sources.filter((_source, at) => at % count === lane);
    const bodies = bodiesFrom(reader.then((opened) => opened.read(share, limits)));
    return { bodies, next: nextOf(bodies) };
  });
  try {
    for (const [at, { key }] of sources.entries()) {
      const lane = lanes[at % count];
      const read = await lane?.next;
      if (lane === undefined || read === undefined || read.done === true) {
        throw new Error('Cannot read landing objects: an invocation gave back fewer than it was given');
      }
      lane.next = nextOf(lane.bodies);
      yield { key, body: read.value };
      read.value?.buffer.transfer(0);
    }
  } finally {
    await Promise.allSettled(lanes.map(({ bodies }) => bodies.return(undefined)));
  }
}

type Bodies = ReturnType<typeof fromFrames>;

async function* bodiesFrom(stream: Promise<ReadableStream<Uint8Array>>): Bodies {
  yield* fromFrames(await stream);
}

/** Asks for the next body ahead of time. A failure is thrown where it is awaited. */
function nextOf(bodies: Bodies): ReturnType<Bodies['next']> {
  const next = bodies.next();
  next.catch(() => undefined);
  return next;
}
