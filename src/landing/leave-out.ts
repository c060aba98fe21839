/** Leaving out lines that tell of a guest who is to be erased, and that waited in a queue while the guest was searched. */

import { loadErasures } from '../guests/active-erasures.ts';
import { wantsLine } from '../guests/wants-line.ts';
import { log, logError } from '../telemetry/log.ts';
import { retryDelaySeconds, type Stage } from './schedule.ts';
import type { Item } from './write-then-settle.ts';

/** What is needed to know whom to erase. */
export interface Erasing {
  readonly bucket: Pick<R2Bucket, 'get' | 'list'>;
  /** PSEUDONYM_KEY. */
  readonly key: string | undefined;
}

/**
 * Leaves out lines of refused bodies and of dead letters; those of events are erased when they are published. A message
 * of which no line is left is acknowledged. When it cannot be told whom to erase, every message is tried again later: it
 * does not throw.
 *
 * @returns What is to be written.
 */
export async function leaveOutErased(items: readonly Item[], stage: Stage, { bucket, key }: Erasing): Promise<Item[]> {
  try {
    const erasures = await loadErasures(bucket, key);
    if (erasures === undefined) return [...items];
    const left: Item[] = [];
    let leftOut = 0;
    for (const item of items) {
      const lines: string[] = [];
      for (const line of item.lines) {
        if (!(await wantsLine(erasures, line, item.receivedAt.getTime()))) lines.push(line);
      }
      leftOut += item.lines.length - lines.length;
      if (lines.length > 0) left.push({ ...item, lines });
      else item.delivery.ack();
    }
    if (leftOut > 0) log('erased_waiting', { lines: leftOut });
    return left;
  } catch (error) {
    logError('erasures_unreadable', error, { messages: items.length });
    for (const { delivery } of items) {
      delivery.retry({ delaySeconds: retryDelaySeconds(stage, delivery.attempts, Math.random()) });
    }
    return [];
  }
}
