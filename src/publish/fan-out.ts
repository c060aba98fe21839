/**
 * Reading landing objects in several invocations at once. A read of R2 takes some 100 ms and an invocation has six
 * connections, so one alone reads about 50 objects a second.
 */

import type { Bucket } from './bucket.ts';
import { type Body, fromFrames } from './frames.ts';
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
    return openLane(reader.then((opened) => opened.read(share, limits)));
  });
  try {
    for (const [at, { key }] of sources.entries()) {
      const lane = lanes[at % count];
      // Mostly there is one already, and then it is not waited for.
      const next = lane?.take() ?? (await lane?.wait());
      if (next === undefined) {
        throw new Error('Cannot read landing objects: an invocation gave back fewer than it was given');
      }
      yield { key, body: next.body };
    }
  } finally {
    await Promise.allSettled(lanes.map((lane) => lane.stop()));
  }
}

/** The bodies that one invocation reads, in their order. */
function openLane(stream: Promise<ReadableStream<Uint8Array>>) {
  const arrivals = bodiesFrom(stream);
  let next = nextOf(arrivals);
  let arrived: Body[] = [];
  let taken = 0;

  /** The next body, when it is here. */
  function take(): { readonly body: Body } | undefined {
    if (taken === arrived.length) return undefined;
    taken += 1;
    return { body: arrived[taken - 1] };
  }

  return {
    take,
    /** The next body; undefined at the end. */
    async wait(): Promise<ReturnType<typeof take>> {
      giveBack(arrived);
      const { value, done } = await next;
      [arrived, taken] = [done === true ? [] : value, 0];
      if (done !== true) next = nextOf(arrivals);
      return take();
    },
    stop() {
      giveBack(arrived);
      return arrivals.return(undefined);
    },
  };
}

/** Frees the memory now: the collector would let tens of megabytes gather before it looks. */
function giveBack(bodies: readonly Body[]): void {
  for (const body of bodies) if (body !== undefined && !body.buffer.detached) body.buffer.transfer(0);
}

type Arrivals = ReturnType<typeof fromFrames>;

async function* bodiesFrom(stream: Promise<ReadableStream<Uint8Array>>): Arrivals {
  yield* fromFrames(await stream);
}

/** Asks for the next bodies ahead of time. A failure is thrown where they are awaited. */
function nextOf(arrivals: Arrivals): ReturnType<Arrivals['next']> {
  const next = arrivals.next();
  next.catch(() => undefined);
  return next;
}
