/** Lines of any object, without those that tell of a guest who is to be erased. */

import type { ActiveErasures } from '../../guests/active-erasures.ts';
import { identifiersOfLine } from '../../guests/line-identifiers.ts';
import { timeOf } from '../../storage/event-id.ts';
import { partitionIn, startOf } from '../../storage/keys.ts';
import { eventIdOf, rejectionIdOf, startsAsEvent, startsAsRejection } from '../../storage/line.ts';
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
    const text = decoder.decode(line);
    const time = receivedAt(text) ?? received;
    if (time <= erasures.through && erasures.wanting(await identifiersOfLine(text), time).length > 0) wanted.add(at);
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

/** When the line of an event or of a refused body was received, in milliseconds since 1970; undefined for others. */
function receivedAt(line: string): number | undefined {
  if (startsAsEvent(line)) return timeOf(eventIdOf(line)).getTime();
  if (startsAsRejection(line)) return timeOf(rejectionIdOf(line)).getTime();
  return undefined;
}

const decoder = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true });
