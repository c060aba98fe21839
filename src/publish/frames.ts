/**
 * Many bodies in one stream of bytes: each as its length, in four bytes with the most significant first, and its bytes.
 * Small ones travel together: each piece of a stream costs as much as reading a row.
 */

import type { Read } from './read-in-order.ts';

const HEADER_BYTES = 4;

/** Stands where a length does when there is no such body. */
const MISSING = 0xffff_ffff;

/** How much is gathered before it is sent, and how much there is room for when it is received. */
const PIECE_BYTES = 16 * 1024;

/** Writes the bodies of objects as they are asked for; undefined is one that is missing. */
export function toFrames(reads: AsyncGenerator<Pick<Read, 'body'>>): ReadableStream<Uint8Array> {
  // Only streams of bytes pass from one invocation to another.
  return new ReadableStream({
    type: 'bytes',
    async pull(controller) {
      let piece = new Uint8Array(PIECE_BYTES);
      let size = 0;
      while (size < PIECE_BYTES) {
        const { value, done } = await reads.next();
        if (done === true) {
          if (size > 0) controller.enqueue(piece.subarray(0, size));
          return controller.close();
        }
        const { body } = value;
        const end = size + HEADER_BYTES + (body?.byteLength ?? 0);
        if (end > piece.length) piece = new Uint8Array(piece.buffer.transfer(end));
        new DataView(piece.buffer).setUint32(size, body?.byteLength ?? MISSING);
        if (body !== undefined) piece.set(body, size + HEADER_BYTES);
        size = end;
      }
      controller.enqueue(piece.subarray(0, size));
    },
    async cancel() {
      await reads.return(undefined);
    },
  });
}

/** A body that has arrived; undefined is one that is missing. */
export type Body = Uint8Array<ArrayBuffer> | undefined;

/** Reads what {@link toFrames} has written, as many bodies at once as have arrived. A reader that stops early cancels the stream. */
export async function* fromFrames(stream: ReadableStream<Uint8Array>): AsyncGenerator<Body[]> {
  const reader = stream.getReader({ mode: 'byob' });

  /** So many bytes and what else has arrived, behind those that are at hand; nothing where the stream ends. */
  async function readOn(rest: Uint8Array, bytes: number): Promise<Uint8Array<ArrayBuffer>> {
    const room = new Uint8Array(Math.max(bytes, PIECE_BYTES));
    room.set(rest);
    const { value } = await reader.readAtLeast(bytes - rest.length, room.subarray(rest.length));
    const arrived = rest.length + (value?.length ?? 0);
    if (arrived > 0 && arrived < bytes) {
      throw new Error('Cannot read a landing object: its invocation ended in the middle');
    }
    return value === undefined ? new Uint8Array(0) : new Uint8Array(value.buffer, 0, arrived);
  }

  try {
    let arrived = await readOn(new Uint8Array(0), HEADER_BYTES);
    while (arrived.length > 0) {
      const { bodies, end, next } = bodiesIn(arrived);
      // A copy, since the memory of the bodies may be given back meanwhile.
      const rest = arrived.slice(end);
      if (bodies.length > 0) yield bodies;
      arrived = await readOn(rest, next);
    }
  } finally {
    await reader.cancel();
  }
}

/** The bodies that are whole, where they end, and how many bytes the next one takes from there on. */
function bodiesIn(arrived: Uint8Array<ArrayBuffer>): { bodies: Body[]; end: number; next: number } {
  const view = new DataView(arrived.buffer, arrived.byteOffset, arrived.byteLength);
  const bodies: Body[] = [];
  let end = 0;
  while (end + HEADER_BYTES <= arrived.length) {
    const length = view.getUint32(end);
    const start = end + HEADER_BYTES;
    if (length === MISSING) {
      bodies.push(undefined);
      end = start;
      continue;
    }
    if (start + length > arrived.length) return { bodies, end, next: HEADER_BYTES + length };
    bodies.push(arrived.subarray(start, start + length));
    end = start + length;
  }
  return { bodies, end, next: HEADER_BYTES };
}
