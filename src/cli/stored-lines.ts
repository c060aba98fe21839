/** The lines of an object, unpacked where its name ends in `.gz`, a block at a time. */

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
export async function* storedLines(key: string, body: Uint8Array): AsyncGenerator<Uint8Array> {
  if (key.endsWith('.gz')) yield* wholeLines(unpacked(key, body));
  else yield body;
}

async function* unpacked(key: string, body: Uint8Array): AsyncGenerator<Buffer> {
  const gunzip = createGunzip({ chunkSize: BLOCK_BYTES });
  gunzip.end(body);
  try {
    yield* gunzip;
  } catch (cause) {
    if (!isZlibError(cause)) throw cause;
    throw new DamagedObject(key, cause);
  }
}
