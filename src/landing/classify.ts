/** What a message carries, and where that belongs. Pure. */

import { timeOf } from '../storage/event-id.ts';
import type { Prefix } from '../storage/keys.ts';
import { eventIdOf, isLine, isRejectionLine, rejectionIdOf } from '../storage/line.ts';

/** A finished line; it was received at the millisecond of its identifier. */
export interface Carried {
  readonly prefix: Exclude<Prefix, 'dead-letter'>;
  readonly line: string;
  readonly receivedAt: Date;
}

/** The line in a message: an event or a refused body. Undefined for a foreign message, which is neither. */
export function classify(message: unknown): Carried | undefined {
  if (isLine(message)) return { prefix: 'landing', line: message, receivedAt: timeOf(eventIdOf(message)) };
  if (isRejectionLine(message)) {
    return { prefix: 'rejected', line: message, receivedAt: timeOf(rejectionIdOf(message)) };
  }
  return undefined;
}
