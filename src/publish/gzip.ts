/** One gzip member, gathered in memory. */

/** How much room there is at first; it doubles when it is needed. */
const FIRST_BYTES = 1024 * 1024;

/**
 * How much is written and read at once. The compressor takes whatever it is given and keeps what is not fetched, so
 * writes are cut smaller than reads to keep it empty.
 */
const WRITE_BYTES = 64 * 1024;
const READ_BYTES = 256 * 1024;

/** A gzip member in the making. */
export interface Gzip {
  /** The bytes that have come out so far. The compressor holds a little more. */
  readonly bytes: number;
  write(chunk: Uint8Array): Promise<void>;
  /** Ends the member and returns it. */
  finish(): Promise<Uint8Array<ArrayBuffer>>;
  /** Lets go of everything. */
  abandon(): Promise<void>;
}

/** Starts a gzip member (RFC 1952). */
export function openGzip(): Gzip {
  const { readable, writable } = new CompressionStream('gzip');
  const writer = writable.getWriter();
  let buffer = new ArrayBuffer(FIRST_BYTES);
  let size = 0;

  const gathered = (async () => {
    const reader = readable.getReader({ mode: 'byob' });
    let chunk = await reader.read(new Uint8Array(READ_BYTES));
    while (!chunk.done) {
      const needed = size + chunk.value.byteLength;
      if (needed > buffer.byteLength) buffer = buffer.transfer(Math.max(needed, buffer.byteLength * 2));
      new Uint8Array(buffer).set(chunk.value, size);
      size = needed;
      chunk = await reader.read(new Uint8Array(chunk.value.buffer));
    }
  })();
  // A failure is thrown by finish(); until then it must not count as unhandled.
  gathered.catch(() => undefined);

  return {
    get bytes() {
      return size;
    },
    async write(chunk) {
      for (let at = 0; at < chunk.length; at += WRITE_BYTES) await writer.write(chunk.subarray(at, at + WRITE_BYTES));
    },
    async finish() {
      await writer.close();
      await gathered;
      return new Uint8Array(buffer, 0, size);
    },
    async abandon() {
      await writer.abort();
    },
  };
}
