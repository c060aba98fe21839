/** Reading many small objects concurrently and yielding them in order. */

/** What reading takes of a bucket: R2's binding, or the same over its S3 API. */
export interface ReadableBucket {
  get(key: string): Promise<Pick<R2ObjectBody, 'arrayBuffer'> | null>;
}

export interface Source {
  readonly key: string;
  /** In bytes, as listed. */
  readonly bytes: number;
}

/**
 * An object that was read; `body` is undefined when the object is gone, and detached when the next one is requested.
 */
export interface Read {
  readonly key: string;
  readonly body: Uint8Array<ArrayBuffer> | undefined;
}

export interface ReadLimits {
  readonly readsAhead: number;
  /** In bytes, as listed, unless a single object is larger. */
  readonly readAheadBytes: number;
}

/** Reads objects with bounded concurrency and bounded bytes in flight. */
export async function* readInOrder(
  bucket: ReadableBucket,
  sources: readonly Source[],
  { readsAhead, readAheadBytes }: ReadLimits,
): AsyncGenerator<Read> {
  const underWay: { readonly source: Source; readonly body: Promise<Read['body']> }[] = [];
  let bytes = 0;
  let next = 0;
  try {
    for (;;) {
      for (let source = sources[next]; source !== undefined && hasRoom(source); source = sources[next]) {
        const body = readWhole(bucket, source.key);
        // A failure is thrown where the body is awaited; until then it must not count as an unhandled rejection.
        body.catch(() => undefined);
        underWay.push({ source, body });
        bytes += source.bytes;
        next += 1;
      }
      const first = underWay.shift();
      if (first === undefined) return;
      const body = await first.body;
      bytes -= first.source.bytes;
      yield { key: first.source.key, body };
      // Freed now: the garbage collector would let tens of megabytes accumulate first.
      body?.buffer.transfer(0);
    }
  } finally {
    // A caller that stops early starts other reads, which must not overlap with the ones still in flight.
    await Promise.allSettled(underWay.map(({ body }) => body));
  }

  function hasRoom(source: Source): boolean {
    return underWay.length === 0 || (underWay.length < readsAhead && bytes + source.bytes <= readAheadBytes);
  }
}

async function readWhole(bucket: ReadableBucket, key: string): Promise<Read['body']> {
  const object = await bucket.get(key);
  return object === null ? undefined : new Uint8Array(await object.arrayBuffer());
}
