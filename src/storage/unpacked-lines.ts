/** Reading the lines of a published part. */

import { type EventIdWords, linesOfBlock, newEventIdWords, readEventId, wholeLines } from './line-bytes.ts';

/**
 * Bytes per decompressed chunk. By default a stream yields 4 kB, and passing those on costs more than inflating them.
 */
const PIECE_BYTES = 128 * 1024;

/**
 * Decompresses a gzip member into blocks of whole lines.
 *
 * @throws When it is not gzip, or truncated.
 */
export function unpackedLines(packed: ReadableStream): AsyncGenerator<Uint8Array> {
  return wholeLines(inPieces(packed.pipeThrough(new DecompressionStream('gzip'))));
}

/**
 * Visits the valid records of a gzip member.
 *
 * @param visit - Receives the event_id of each record, whose buffer is reused for the next, and the line.
 * @throws As {@link unpackedLines} does.
 */
export async function visitRecords(
  packed: ReadableStream,
  visit: (id: EventIdWords, line: Uint8Array) => void,
): Promise<void> {
  const id = newEventIdWords();
  for await (const block of unpackedLines(packed)) {
    for (const line of linesOfBlock(block)) if (readEventId(line, id)) visit(id, line);
  }
}

/** Yields chunks, each valid until the next is requested. */
async function* inPieces(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader({ mode: 'byob' });
  try {
    for (let room = new ArrayBuffer(PIECE_BYTES); ; ) {
      const { value, done } = await reader.readAtLeast(PIECE_BYTES, new Uint8Array(room));
      if (value === undefined) return;
      if (value.length > 0) yield value;
      if (done) return;
      room = value.buffer;
    }
  } finally {
    await reader.cancel();
  }
}
