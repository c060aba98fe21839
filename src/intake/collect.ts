/** The bytes of a stream in memory, with a limit. */

import { concat } from '../storage/concat.ts';

export interface Collected {
  /** No more than the limit. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** All bytes are here, there were more than the limit, or the stream broke. */
  readonly ending: 'whole' | 'cut_off' | 'broken';
}

/** A body as it arrived, whole or not, still encoded. */
export interface ReceivedBody extends Collected {
  /** The Content-Encoding header in lower case; empty when there is none. */
  readonly encoding: string;
}

/** Collects up to `limitBytes` of a stream. Reading stops at the first byte too many. */
export async function collect(stream: ReadableStream<Uint8Array> | null, limitBytes: number): Promise<Collected> {
  const chunks: Uint8Array[] = [];
  let room = limitBytes;
  try {
    for await (const chunk of stream ?? []) {
      chunks.push(chunk.subarray(0, room));
      room -= chunk.byteLength;
      // Leaving the loop cancels the stream.
      if (room < 0) return { bytes: concat(chunks), ending: 'cut_off' };
    }
  } catch {
    return { bytes: concat(chunks), ending: 'broken' };
  }
  return { bytes: concat(chunks), ending: 'whole' };
}
