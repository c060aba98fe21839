/** Reading the lines of a published part. */

import { type EventIdWords, linesOfBlock, newEventIdWords, readEventId, wholeLines } from './line-bytes.ts';

/** How much is decompressed at once. By itself a stream does 4 kB, and handing them on costs more than decompressing. */
const PIECE_BYTES = 128 * 1024;

/**
 * The lines of a gzip member, in blocks of whole lines.
 *
 * @throws When it is no gzip, or breaks off.
 */
export function unpackedLines(packed: ReadableStream): AsyncGenerator<Uint8Array> {
  return wholeLines(inPieces(packed.pipeThrough(new DecompressionStream('gzip'))));
}

/**
 * Visits the valid records of a gzip member.
 *
 * @param visit - Gets the event_id of each, which is good until the next, and the line.
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

/** Each piece is good until the next is asked for. */
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
