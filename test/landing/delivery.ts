/** Messages as a queue delivers them. */

import type { Delivery } from '../../src/landing/write-then-settle.ts';

/** A message that notes what the queue is told: `ack`, or the seconds until it is to be delivered again. */
export function deliveryOf(body: unknown, told: unknown[] = [], more: Partial<Delivery> = {}): Delivery {
  return {
    id: 'm',
    timestamp: new Date('2026-11-27T23:00:00Z'),
    attempts: 1,
    body,
    ack: () => void told.push('ack'),
    retry: ({ delaySeconds }) => void told.push(delaySeconds),
    ...more,
  };
}
