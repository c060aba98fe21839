/** Reads the lines of an object in blocks, unpacking it if its name ends in `.gz`. */

import { createGunzip } from 'node:zlib';
import { wholeLines } from '../storage/line-bytes.ts';

/** Thrown when an object cannot be unpacked. The lines before the damage have been read by then. */
export class DamagedObject extends Error {
  /** The message of zlib. */
  readonly why: string;

  constructor(key: string, cause: Error) {
    super(`Cannot read ${key}: it cannot be unpacked; npm run events -- verify shows what is wrong with the bucket`, {
      cause,
    });
    this.why = cause.message;
  }
}

/** Size of an unpacked block, in bytes: a stream's default is 16 kB, and passing those on costs more than unpacking. */
const BLOCK_BYTES = 256 * 1024;

/** Whether zlib rejected its input; other errors come from the bucket or the disk. */
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
