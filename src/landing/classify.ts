/** Finds out what a message carries and where it belongs. Pure. */

import { timeOf } from '../storage/event-id.ts';
import { type Prefix, partitionOf } from '../storage/keys.ts';
import { isLine, isRejectionLine, linesOfMessage, recordIdOf } from '../storage/line.ts';

/** Finished lines of one kind and one hour. Their identifiers contain the times at which they were received. */
export interface Carried {
  readonly prefix: Exclude<Prefix, 'dead-letter'>;
  readonly lines: readonly string[];
  readonly receivedAt: Date;
}

/**
 * The lines of a message, which are all events or all refused bodies. Undefined for an unrecognised message: one that
 * holds anything else, or lines of several hours, which cannot go into one object.
 */
export function classify(message: unknown): Carried | undefined {
  if (typeof message !== 'string') return undefined;
  const lines = linesOfMessage(message);
  if (lines.every(isLine)) return carry('landing', lines, lines.map(recordIdOf).map(timeOf));
  if (lines.every(isRejectionLine)) return carry('rejected', lines, lines.map(recordIdOf).map(timeOf));
  return undefined;
}

function carry(prefix: Carried['prefix'], lines: readonly string[], times: readonly Date[]): Carried | undefined {
  const [receivedAt] = times;
  if (receivedAt === undefined) return undefined;
  const partition = partitionOf(receivedAt);
  return times.every((time) => partitionOf(time) === partition) ? { prefix, lines, receivedAt } : undefined;
}
