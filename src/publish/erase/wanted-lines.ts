/** Lines of any object, without those that tell of a guest who is to be erased. */

import type { ActiveErasures } from '../../guests/active-erasures.ts';
import { wantsLine } from '../../guests/wants-line.ts';
import { partitionIn, startOf } from '../../storage/keys.ts';
import { linesOf } from '../../storage/line-bytes.ts';

/** What is left of an object. */
export interface Left {
  /** The other lines, byte for byte and in their order. */
  readonly rest: Uint8Array<ArrayBuffer>;
  /** How many lines are left out. */
  readonly removed: number;
}

/**
 * Leaves out the lines that any erasure wants.
 *
 * @param key - Of the object. A line that does not say when it was received came in the hour in which the object lies.
 */
export async function withoutWanted(body: Uint8Array, key: string, erasures: ActiveErasures): Promise<Left> {
  const partition = partitionIn(key);
  const received = partition === undefined ? 0 : startOf(partition);
  const wanted = new Set<number>();
  for (const [at, line] of [...linesOf(body)].entries()) {
    if (await wantsLine(erasures, decoder.decode(line), received)) wanted.add(at);
  }
  return withoutLines(body, wanted);
}

/** Leaves out lines by their numbers, counted from 0. */
export function withoutLines(body: Uint8Array, numbers: ReadonlySet<number>): Left {
  const lines = [...linesOf(body)];
  const kept = lines.filter((_, at) => !numbers.has(at));
  const rest = new Uint8Array(kept.reduce((bytes, line) => bytes + line.length, 0));
  let at = 0;
  for (const line of kept) {
    rest.set(line, at);
    at += line.length;
  }
  return { rest, removed: lines.length - kept.length };
}

const decoder = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true });
