/** Landing: a batch of lines to one object, without the time that Queue and R2 take. */

import { measure } from 'mitata';
import { land, type Origin } from '../../src/landing/land.ts';
import type { Delivery } from '../../src/landing/write-then-settle.ts';
import { uuidv7 } from '../../src/storage/event-id.ts';
import { toLine } from '../../src/storage/line.ts';
import { FULL_EVENT } from '../sample.ts';
import { sampleRow } from '../sample-row.ts';
import { median } from './median.ts';

const ORIGIN: Origin = { queue: 'landing', stage: 'queue', carries: 'landing' };
const ROUNDS = 5;
const BATCH = 100;
/** The largest message of a queue is 128,000 bytes; a comment of this length comes near it. */
const LARGE_COMMENT = 120_000;

const BATCHES = { small: FULL_EVENT, large: { ...FULL_EVENT, StaffComment: 'x'.repeat(LARGE_COMMENT) } };

/** The medians for one size of message. */
export interface LandingResult {
  readonly messages: string;
  readonly bytesPerRow: number;
  readonly rowsPerSecond: number;
  readonly megabytesPerSecond: number;
}

/** Measures batches of a hundred small and of a hundred large messages, interleaved. */
export async function benchLanding(progress: (done: number, total: number) => void): Promise<LandingResult[]> {
  let objects = 0;
  const bucket = {
    async put(_key: string, value: string) {
      // Reading the last character makes the engine join the lines, as sending them would.
      if (value.charCodeAt(value.length - 1) === 10) objects += 1;
      return {};
    },
    // Only of refused bodies and foreign messages is it asked whom to erase.
    get: () => Promise.reject(new Error('Cannot measure landing: it reads')),
    list: () => Promise.reject(new Error('Cannot measure landing: it lists')),
  };
  const batches = Object.entries(BATCHES).map(([messages, event]) => {
    const deliveries = Array.from({ length: BATCH }, () => delivery(lineOf(event)));
    return { messages, deliveries, bytesPerRow: String(deliveries[0]?.body).length, times: [] as number[] };
  });
  const log = console.log;
  console.log = () => {};
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const [at, { deliveries, times }] of batches.entries()) {
        const { avg } = await measure(() => land(ORIGIN, deliveries, bucket), { min_cpu_time: 2e8 });
        times.push(avg / 1e9);
        progress(round * batches.length + at + 1, ROUNDS * batches.length);
      }
    }
  } finally {
    console.log = log;
  }
  if (objects === 0) throw new Error('Cannot measure landing: nothing was written');
  return batches.map(({ messages, bytesPerRow, times }) => {
    const rowsPerSecond = BATCH / median(times);
    return { messages, bytesPerRow, rowsPerSecond, megabytesPerSecond: (rowsPerSecond * bytesPerRow) / 1e6 };
  });
}

function lineOf(event: Readonly<Record<string, unknown>>): string {
  return toLine(sampleRow(event, uuidv7()));
}

function delivery(body: string): Delivery {
  return { id: 'm', timestamp: new Date(), attempts: 1, body, ack() {}, retry() {} };
}
