/** Reads the lines of an object one by one. */

import { linesOfBlock } from '../../storage/line-bytes.ts';
import type { ReadableStore } from '../object-store.ts';
import { storedLines } from '../stored-lines.ts';
import type { Hit } from './checkpoint.ts';

/** A line without its newline, and its number in the object, from 0. */
interface NumberedLine {
  readonly number: number;
  readonly text: string;
}

const NEWLINE = 0x0a;

/**
 * Reads the lines of an object. Yields none if the object is gone, as after it was published or deleted.
 *
 * @param hint - Only lines that match are yielded.
 * @throws As {@link storedLines} does.
 */
export async function* readObjectLines(
  store: Pick<ReadableStore, 'get'>,
  key: string,
  hint?: RegExp,
): AsyncGenerator<NumberedLine> {
  const body = await store.get(key);
  if (body === undefined) return;
  const decoder = new TextDecoder();
  let number = 0;
  for await (const block of storedLines(key, body)) {
    // One test of a whole block rules out most blocks.
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

/** Reads the matching lines of a search again, object by object: a checkpoint holds no values. */
export async function* readHits(
  store: Pick<ReadableStore, 'get'>,
  hits: readonly Hit[],
): AsyncGenerator<{ readonly hit: Hit; readonly text: string }> {
  for (const [key, inObject] of Map.groupBy(hits, (hit) => hit.key)) {
    const lines = new Map(inObject.map((hit) => [hit.line, hit]));
    for await (const { number, text } of readObjectLines(store, key)) {
      const hit = lines.get(number);
      if (hit !== undefined) yield { hit, text };
      // Stops after the last hit: the object may be damaged beyond it.
      lines.delete(number);
      if (lines.size === 0) break;
    }
  }
}
