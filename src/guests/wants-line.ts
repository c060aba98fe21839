/** Whether the line of any object tells of a guest who is to be erased. */

import { timeOf } from '../storage/event-id.ts';
import { eventIdOf, rejectionIdOf, startsAsEvent, startsAsRejection } from '../storage/line.ts';
import type { ActiveErasures } from './active-erasures.ts';
import { identifiersOfLine } from './line-identifiers.ts';

/**
 * Whether any erasure wants a line.
 *
 * @param receivedAt - When a line was received that does not say so itself; milliseconds since 1970.
 */
export async function wantsLine(erasures: ActiveErasures, line: string, receivedAt: number): Promise<boolean> {
  const time = timeIn(line) ?? receivedAt;
  return time <= erasures.through && erasures.wanting(await identifiersOfLine(line), time).length > 0;
}

/** When the line of an event or of a refused body was received; undefined for others. */
function timeIn(line: string): number | undefined {
  if (startsAsEvent(line)) return timeOf(eventIdOf(line)).getTime();
  if (startsAsRejection(line)) return timeOf(rejectionIdOf(line)).getTime();
  return undefined;
}
