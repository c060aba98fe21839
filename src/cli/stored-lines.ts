/** The lines of an object, unpacked where its name ends in `.gz`, a block at a time. */

import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { wholeLines } from '../storage/line-bytes.ts';

/** Thrown where an object cannot be unpacked; what stands before that has been read. */
export class DamagedObject extends Error {
  /** What zlib says. */
  readonly why: string;

  constructor(key: string, cause: Error) {
    super(`Cannot read ${key}: it cannot be unpacked; npm run events -- verify shows what is wrong with the bucket`, {
      cause,
    });
    this.why = cause.message;
  }
}

/** What is unpacked at once, in bytes: by itself a stream does 16 kB, and handing those on costs more than unpacking. */
const BLOCK_BYTES = 256 * 1024;

/** Whether zlib has thrown this because of what it was given; other errors are of the bucket or the disk. */
export function isZlibError(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');
}

/**
 * Reads an object in blocks of whole lines.
 *
 * @throws {DamagedObject} While it is read.
 */
export function storedLines(key: string, body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  return wholeLines(key.endsWith('.gz') ? unpacked(key, body) : body);
}

async function* unpacked(key: string, body: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  const source = Readable.from(body, { objectMode: false });
  const gunzip = createGunzip({ chunkSize: BLOCK_BYTES });
  source.on('error', (error) => gunzip.destroy(error));
  try {
    yield* source.pipe(gunzip);
  } catch (cause) {
    if (!isZlibError(cause)) throw cause;
    throw new DamagedObject(key, cause);
  } finally {
    source.destroy();
  }
}
