/** Building one gzip member in memory. */

import { createGzip } from 'node:zlib';
import { linesOfBlock } from '../storage/line-bytes.ts';

/**
 * Compression level of zlib, from 1 to 9. Its default, 6, takes a third longer for a ninth less; CompressionStream
 * offers no other.
 */
const GZIP_LEVEL = 4;

/** Initial capacity of the buffer; it doubles when needed. */
const FIRST_BYTES = 128 * 1024;

/** Size of a chunk, in and out: the compressor finishes one before it gets the next. */
const PIECE_BYTES = 128 * 1024;

/** A gzip member under construction. */
export interface Gzip {
  /** Bytes written so far, and those still to be compressed. The compressor holds a little more. */
  readonly bytes: number;
  write(chunk: Uint8Array): Promise<void>;
}

/**
 * Makes a gzip member (RFC 1952) of what `pack` writes.
 *
 * @throws What `pack` throws; all resources are then released.
 */
export async function gzipMember(pack: (gzip: Gzip) => Promise<void>): Promise<Uint8Array<ArrayBuffer>> {
  const gzip = createGzip({ level: GZIP_LEVEL, chunkSize: PIECE_BYTES });
  let buffer = new ArrayBuffer(FIRST_BYTES);
  let size = 0;
  gzip.on('data', (chunk: Uint8Array) => {
    const needed = size + chunk.byteLength;
    if (needed > buffer.byteLength) buffer = buffer.transfer(Math.max(needed, buffer.byteLength * 2));
    new Uint8Array(buffer).set(chunk, size);
    size = needed;
  });
  const ended = new Promise((resolve, reject) => {
    gzip.once('end', resolve).once('error', reject);
  });
  // A failure is thrown where the end is awaited; until then it must not count as an unhandled rejection.
  ended.catch(() => undefined);

  // Single rows are batched: each call of the compressor costs as much as compressing several of them.
  const piece = new Uint8Array(PIECE_BYTES);
  let waiting = 0;

  function writePiece(): Promise<void> {
    return new Promise((resolve, reject) => {
      gzip.write(piece.subarray(0, waiting), (error) => (error ? reject(error) : resolve()));
      waiting = 0;
    });
  }

  try {
    await pack({
      get bytes() {
        return size + waiting;
      },
      async write(chunk) {
        for (let at = 0; at < chunk.length; ) {
          const some = chunk.subarray(at, at + PIECE_BYTES - waiting);
          piece.set(some, waiting);
          waiting += some.length;
          at += some.length;
          if (waiting === PIECE_BYTES) await writePiece();
        }
      },
    });
    if (waiting > 0) await writePiece();
    gzip.end();
    await ended;
    return new Uint8Array(buffer, 0, size);
  } finally {
    gzip.destroy();
  }
}

/**
 * Packs the lines of a block, most of which are unchanged.
 *
 * @param change - Returns what to pack in place of a line: the line itself, another one, or undefined to drop it.
 */
export async function writeLines(
  gzip: Pick<Gzip, 'write'>,
  block: Uint8Array,
  change: (line: Uint8Array) => Uint8Array | undefined,
): Promise<void> {
  let kept = 0;
  let at = 0;
  for (const line of linesOfBlock(block)) {
    const next = change(line);
    if (next !== line) {
      // The unchanged lines before it are written in one piece.
      if (kept < at) await gzip.write(block.subarray(kept, at));
      if (next !== undefined) await gzip.write(next);
      kept = at + line.length;
    }
    at += line.length;
  }
  if (kept < at) await gzip.write(block.subarray(kept, at));
}
