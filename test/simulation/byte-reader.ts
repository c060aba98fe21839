/** The reader that workerd has for streams of bytes, as far as the service uses it; Node.js has no `readAtLeast()`. */

/** What a read gives; no value at the end. */
interface ByteRead {
  readonly value: Uint8Array | undefined;
  readonly done: boolean;
}

/** Reads a stream by the byte. */
interface ByteReader {
  readAtLeast(bytes: number, room: Uint8Array): Promise<ByteRead>;
  cancel(): Promise<unknown>;
}

/** Opens a stream for reading. */
export function byteReader(stream: ReadableStream<Uint8Array>): ByteReader {
  const chunks = stream.values();
  let rest: Uint8Array = new Uint8Array(0);
  return {
    async readAtLeast(bytes, room) {
      while (rest.length < bytes) {
        const { value, done } = await chunks.next();
        if (done) break;
        rest = Buffer.concat([rest, value]);
      }
      const length = Math.min(rest.length, room.length);
      if (length === 0) return { value: undefined, done: true };
      room.set(rest.subarray(0, length));
      rest = rest.subarray(length);
      return { value: room.subarray(0, length), done: false };
    },
    cancel: async () => chunks.return?.(),
  };
}
