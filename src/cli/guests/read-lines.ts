/** The lines of an object, one after the other. */

import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { linesOfBlock, wholeLines } from '../../storage/line-bytes.ts';
import type { ReadableStore } from '../object-store.ts';

/** A line with its place in the object, counted from 0, and without its end. */
export interface NumberedLine {
  readonly number: number;
  readonly text: string;
}

/** Thrown where an object is not what its name says; what stands before that has been read. */
export class DamagedObject extends Error {}

const NEWLINE = 0x0a;

/** What is unpacked at once, in bytes: most blocks of this size are passed over by one test. */
const BLOCK_BYTES = 256 * 1024;

/**
 * Reads the lines of an object, unpacked where its name ends in `.gz`, holding no more than a block of it.
 *
 * @param hint - Lines that it does not match are left out.
 * @returns Undefined when there is no such object.
 * @throws {DamagedObject} While it is read.
 */
export async function readLines(
  store: Pick<ReadableStore, 'read'>,
  key: string,
  hint?: RegExp,
): Promise<AsyncGenerator<NumberedLine> | undefined> {
  const body = await store.read(key);
  if (body === undefined) return undefined;
  return numbered(key.endsWith('.gz') ? unpacked(key, body) : body, hint);
}

async function* numbered(blocks: AsyncIterable<Uint8Array>, hint: RegExp | undefined): AsyncGenerator<NumberedLine> {
  const decoder = new TextDecoder();
  let number = 0;
  for await (const block of wholeLines(blocks)) {
    const isPassed = hint !== undefined && !hint.test(decoder.decode(block));
    for (const line of linesOfBlock(block)) {
      if (!isPassed) {
        const text = decoder.decode(line.at(-1) === NEWLINE ? line.subarray(0, -1) : line);
        if (hint === undefined || hint.test(text)) yield { number, text };
      }
      number += 1;
    }
  }
}

async function* unpacked(key: string, body: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  const source = Readable.from(body, { objectMode: false });
  const gunzip = createGunzip({ chunkSize: BLOCK_BYTES });
  source.on('error', (error) => gunzip.destroy(error));
  try {
    yield* source.pipe(gunzip);
  } catch (cause) {
    const isDamage = cause instanceof Error && 'code' in cause && String(cause.code).startsWith('Z_');
    if (!isDamage) throw cause;
    throw new DamagedObject(
      `Cannot read ${key}: it cannot be unpacked; npm run events -- verify shows what is wrong with the bucket`,
      { cause },
    );
  } finally {
    source.destroy();
  }
}
