/** What a million events cost at Cloudflare's list prices, from the operations that each step makes. */

/**
 * List prices in US dollars, without what each plan includes for nothing. Sources: the pricing pages of Workers, Queues
 * and R2 in Cloudflare's documentation.
 */
const PRICES = {
  request: 0.3 / 1e6,
  cpuMillisecond: 0.02 / 1e6,
  queueOperation: 0.4 / 1e6,
  r2ClassA: 4.5 / 1e6,
  r2ClassB: 0.36 / 1e6,
  r2GigabyteMonth: 0.015,
} as const;

/** The operations for one event. */
export interface Operations {
  /** Invocations of the Worker that are billed as requests: the event's own, and its share of its batch's. */
  readonly requests: number;
  readonly cpuMilliseconds: number;
  /** Writing, reading and deleting a message of up to 64 KB are one operation each. */
  readonly queueOperations: number;
  readonly r2ClassA: number;
  readonly r2ClassB: number;
  /** Gigabytes that stay for a month. */
  readonly storedGigabytes: number;
}

/** Dollars for a million events, by what is paid for. */
export function costOfMillion(operations: Operations): Record<string, number> {
  const parts = {
    requests: operations.requests * PRICES.request,
    'CPU time': operations.cpuMilliseconds * PRICES.cpuMillisecond,
    queue: operations.queueOperations * PRICES.queueOperation,
    'R2 writes and lists': operations.r2ClassA * PRICES.r2ClassA,
    'R2 reads': operations.r2ClassB * PRICES.r2ClassB,
    'R2 storage, a month': operations.storedGigabytes * PRICES.r2GigabyteMonth,
  };
  const million = Object.entries(parts).map(([name, dollars]) => [name, dollars * 1e6] as const);
  const total = million.reduce((sum, [, dollars]) => sum + dollars, 0);
  return Object.fromEntries([...million, ['total', total]]);
}
