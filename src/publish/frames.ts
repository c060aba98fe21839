/** Many bodies in one stream of bytes: each as its length, in four bytes with the most significant first, and its bytes. */

import type { Read } from './read-in-order.ts';

const HEADER_BYTES = 4;

/** Stands where a length does when there is no such body. */
const MISSING = 0xffff_ffff;

/** Writes the bodies of objects as they are asked for; undefined is one that is missing. */
export function toFrames(reads: AsyncGenerator<Pick<Read, 'body'>>): ReadableStream<Uint8Array> {
  // Only streams of bytes pass from one invocation to another.
  return new ReadableStream({
    type: 'bytes',
    async pull(controller) {
      const { value, done } = await reads.next();
      if (done === true) return controller.close();
      const { body } = value;
      const frame = new Uint8Array(HEADER_BYTES + (body?.byteLength ?? 0));
      new DataView(frame.buffer).setUint32(0, body?.byteLength ?? MISSING);
      if (body !== undefined) frame.set(body, HEADER_BYTES);
      controller.enqueue(frame);
    },
    async cancel() {
      await reads.return(undefined);
    },
  });
}

/** Reads what {@link toFrames} has written. Whoever stops early cancels the stream. */
export async function* fromFrames(
  stream: ReadableStream<Uint8Array>,
): AsyncGenerator<Uint8Array<ArrayBuffer> | undefined> {
  const reader = stream.getReader({ mode: 'byob' });

  /** So many bytes; fewer only where the stream ends. */
  async function read(bytes: number): Promise<Uint8Array<ArrayBuffer>> {
    if (bytes === 0) return new Uint8Array(0);
    const { value } = await reader.readAtLeast(bytes, new Uint8Array(bytes));
    return value ?? new Uint8Array(0);
  }

  try {
    for (;;) {
      const header = await read(HEADER_BYTES);
      if (header.byteLength === 0) return;
      const length = new DataView(header.buffer, header.byteOffset, HEADER_BYTES).getUint32(0);
      if (length === MISSING) {
        yield undefined;
        continue;
      }
      const body = await read(length);
      if (body.byteLength < length) throw new Error('Cannot read a landing object: its invocation ended in the middle');
      yield body;
    }
  } finally {
    await reader.cancel();
  }
}
