/** What our queues carry, and where it rests. Pure. */

import { timeOf } from '../storage/event-id.ts';
import type { Prefix } from '../storage/keys.ts';
import { eventIdOf, isLine, isRejectionLine, rejectionIdOf } from '../storage/line.ts';

/** A line as a queue delivered it; it was received at the millisecond of its identifier. */
export interface CargoLine {
  readonly line: string;
  readonly receivedAt: Date;
}

/** One kind of line. */
export interface Cargo {
  readonly prefix: Prefix;
  /** The line in a message, or undefined when there is none of this kind. */
  read(message: unknown): CargoLine | undefined;
}

/** Events. */
export const EVENTS: Cargo = {
  prefix: 'landing',
  read: (message) => (isLine(message) ? { line: message, receivedAt: timeOf(eventIdOf(message)) } : undefined),
};

/** Refused bodies. */
export const REJECTIONS: Cargo = {
  prefix: 'rejected',
  read: (message) =>
    isRejectionLine(message) ? { line: message, receivedAt: timeOf(rejectionIdOf(message)) } : undefined,
};

/** A line of any kind. */
export function readCargo(message: unknown): CargoLine | undefined {
  return EVENTS.read(message) ?? REJECTIONS.read(message);
}
