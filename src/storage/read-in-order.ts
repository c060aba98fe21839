/** Reading many small objects, several at once, and handing them on in their order. */

export interface Source {
  readonly key: string;
  /** In bytes, as listed. */
  readonly bytes: number;
}

/** An object that has been read; `body` is undefined when it is no longer there, and emptied when the next is asked for. */
export interface Read {
  readonly key: string;
  readonly body: Uint8Array<ArrayBuffer> | undefined;
}

export interface ReadLimits {
  readonly readsAhead: number;
  /** How many bytes, as listed, unless one object alone is larger. */
  readonly readAheadBytes: number;
}

/** Reads objects, with a bound on the requests and on the bytes under way. */
export async function* readInOrder(
  bucket: Pick<R2Bucket, 'get'>,
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
        // A failure is thrown where the body is awaited; until then it must not count as unhandled.
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
      // Given back now: the collector would let tens of megabytes gather before it looks.
      body?.buffer.transfer(0);
    }
  } finally {
    // Who stops early begins to read something else: not beside what is still under way.
    await Promise.allSettled(underWay.map(({ body }) => body));
  }

  function hasRoom(source: Source): boolean {
    return underWay.length === 0 || (underWay.length < readsAhead && bytes + source.bytes <= readAheadBytes);
  }
}

async function readWhole(bucket: Pick<R2Bucket, 'get'>, key: string): Promise<Read['body']> {
  const object = await bucket.get(key);
  return object === null ? undefined : new Uint8Array(await object.arrayBuffer());
}
