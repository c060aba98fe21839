/** The lines of an object, one after the other. */

import { linesOfBlock } from '../../storage/line-bytes.ts';
import type { ReadableStore } from '../object-store.ts';
import { storedLines } from '../stored-lines.ts';
import type { Hit } from './checkpoint.ts';

/** A line with its place in the object, counted from 0, and without its end. */
interface NumberedLine {
  readonly number: number;
  readonly text: string;
}

const NEWLINE = 0x0a;

/**
 * Reads the lines of an object; there are none when it is gone, since it was published or deleted meanwhile.
 *
 * @param hint - Lines that it does not match are left out.
 * @throws As {@link storedLines} does.
 */
export async function* readLines(
  store: Pick<ReadableStore, 'get'>,
  key: string,
  hint?: RegExp,
): AsyncGenerator<NumberedLine> {
  const body = await store.get(key);
  if (body === undefined) return;
  const decoder = new TextDecoder();
  let number = 0;
  for await (const block of storedLines(key, body)) {
    // One test rules out most blocks.
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

/** Reads the lines that a search has found, object by object: the file of a search holds no value. */
export async function* readHits(
  store: Pick<ReadableStore, 'get'>,
  hits: readonly Hit[],
): AsyncGenerator<{ readonly hit: Hit; readonly text: string }> {
  for (const [key, inObject] of Map.groupBy(hits, (hit) => hit.key)) {
    const lines = new Map(inObject.map((hit) => [hit.line, hit]));
    for await (const { number, text } of readLines(store, key)) {
      const hit = lines.get(number);
      if (hit !== undefined) yield { hit, text };
      // An object may be damaged behind the last of them.
      lines.delete(number);
      if (lines.size === 0) break;
    }
  }
}
