/** Finding the rows that concern a guest to be erased. */

import type { ActiveErasures, Wanting } from '../../guests/active-erasures.ts';
import { parseRow } from '../../storage/line.ts';
import { type EventIdWords, millisecondsOf, readOccurredAt } from '../../storage/line-bytes.ts';

const NONE: Wanting = { own: [], named: [] };

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * The erasures that want the row of a line: none if it was both received and happened after they were requested. A
 * replayed refused body is received anew, but happened when it was first sent.
 *
 * @param id - The event_id of the line.
 */
export function erasuresWanting(line: Uint8Array, id: EventIdWords, erasures: ActiveErasures): Wanting {
  const occurredAt = readOccurredAt(line);
  const received = millisecondsOf(id);
  const time = occurredAt === undefined ? received : Math.min(received, Date.parse(occurredAt));
  // Nearly all rows are newer and need not be parsed.
  return time > erasures.through ? NONE : erasures.wanting(parseRow(decoder.decode(line)), time);
}
