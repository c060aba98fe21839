/** What a million events cost at Cloudflare's list prices, from the operations that each step makes. */

import { MAX_BATCH_EVENTS } from '../../src/contract/endpoint.ts';
import { PACKED_BYTES } from '../../src/intake/batch/store-lines.ts';

/**
 * List prices in US dollars, without what each plan includes for nothing. Sources: the pricing pages of Workers, Queues
 * and R2 in Cloudflare's documentation. An accepted event has no log line. Data points of Analytics Engine are
 * announced at 0.25 a million and not billed yet, so they are left out.
 */
export const PRICES = {
  request: 0.3 / 1e6,
  cpuMillisecond: 0.02 / 1e6,
  queueOperation: 0.4 / 1e6,
  r2ClassA: 4.5 / 1e6,
  r2ClassB: 0.36 / 1e6,
  r2GigabyteMonth: 0.015,
} as const;

/** What gzip leaves of rows, at the level of src/publish/gzip.ts. */
const GZIP_SHARE = 0.12;

/** Messages of a batch that has had time to fill. */
const BATCH = 100;

/** Rows of a published part, at 1 kB a row (PART_SOURCE_BYTES of src/publish/limits.ts). */
const PART_ROWS = 160_000;

/** What was measured in the same run. */
export interface Measured {
  /** CPU time of intake for a full event, in milliseconds. */
  readonly intakeMilliseconds: number;
  /** CPU time of landing for a row, in milliseconds. */
  readonly landingMilliseconds: number;
  /** A row as it is landed, in bytes. */
  readonly rowBytes: number;
}

/** How events travel. */
interface Travel {
  readonly eventsPerRequest: number;
  /** Of at most 64 KB, which Queues bills as one operation. */
  readonly eventsPerMessage: number;
}

export const ONE_AT_A_TIME: Travel = { eventsPerRequest: 1, eventsPerMessage: 1 };

/** Full batches, their lines packed into messages. */
export function inBatches(rowBytes: number): Travel {
  return { eventsPerRequest: MAX_BATCH_EVENTS, eventsPerMessage: Math.floor(PACKED_BYTES / rowBytes) };
}

/** Dollars for a million events of less than 64 KB, by what is paid for. A month of storage is of published, gzipped rows. */
export function costOfMillion(
  { intakeMilliseconds, landingMilliseconds, rowBytes }: Measured,
  { eventsPerRequest, eventsPerMessage }: Travel,
): Record<string, number> {
  const landed = 1 / (BATCH * eventsPerMessage);
  const perEvent = {
    // The event's share of its own, and of the one that lands it.
    requests: (1 / eventsPerRequest + landed) * PRICES.request,
    'CPU time': (intakeMilliseconds + landingMilliseconds) * PRICES.cpuMillisecond,
    // Queues bills a write, a read and a delete.
    queue: (3 / eventsPerMessage) * PRICES.queueOperation,
    // One object for the messages that are landed together; then the part, the register before and after it, and a listing of a thousand objects a page.
    'R2 writes and lists': (landed + 3 / PART_ROWS + landed / 1_000) * PRICES.r2ClassA,
    // The publisher reads a landed object once, and once more when some of it was published before.
    'R2 reads': 2 * landed * PRICES.r2ClassB,
    'R2 storage for a month': ((rowBytes * GZIP_SHARE) / 1e9) * PRICES.r2GigabyteMonth,
  };
  const million = Object.entries(perEvent).map(([name, dollars]) => [name, dollars * 1e6] as const);
  return Object.fromEntries([...million, ['total', million.reduce((sum, [, dollars]) => sum + dollars, 0)]]);
}
