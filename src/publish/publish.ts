/** One run of the publisher: finish what was begun, then publish what is due. */

import { newEventId } from '../storage/event-id.ts';
import { eventsKey, LANDING_PARTITIONS, landingPrefix } from '../storage/keys.ts';
import { type Bucket, listAll } from './bucket.ts';
import { carryOut, type Published } from './carry-out.ts';
import type { Journal } from './journal.ts';
import { RUN_SOURCE_BYTES, RUN_SOURCES } from './limits.ts';
import { type Group, groupsOf, isDue } from './plan.ts';
import { type Clock, readRegister } from './register.ts';

/** What a run has done. */
export interface Run {
  /** `busy`: another run is at work. `overtaken`: another run went on in the middle. `more`: the next run goes on. */
  readonly ended: 'done' | 'more' | 'busy' | 'overtaken';
  readonly parts: number;
  readonly rows: number;
  /** Landing objects that are done with. */
  readonly sources: number;
  /** Of the parts. */
  readonly bytes: number;
}

/** Runs once. Whatever it throws, the next run takes up where it stopped. */
export async function publish(bucket: Bucket, clock: Clock): Promise<Run> {
  const register = await readRegister(bucket, newEventId(), clock);
  const total = { parts: 0, rows: 0, sources: 0, bytes: 0 };
  if (register.busy) return { ended: 'busy', ...total };

  const budget = { bytes: RUN_SOURCE_BYTES, sources: RUN_SOURCES };
  let ended: Run['ended'] = 'done';
  for await (const journal of journals(bucket, clock.now(), register.journal)) {
    if (budget.bytes <= 0 || budget.sources <= 0) {
      ended = 'more';
      break;
    }
    if (!(await register.open(journal))) return { ended: 'overtaken', ...total };
    add(total, await carryOut(bucket, journal));
    budget.sources -= journal.sources.length;
    budget.bytes -= journal.sources.reduce((sum, [, bytes]) => sum + bytes, 0);
  }
  return (await register.close()) ? { ended, ...total } : { ended: 'overtaken', ...total };
}

/** The journal that was left open, then one for each group that is due. */
async function* journals(bucket: Bucket, now: number, open: Journal | null): AsyncGenerator<Journal> {
  if (open !== null) yield open;
  for await (const group of groupsOf(listAll(bucket, LANDING_PARTITIONS))) {
    if (isDue(group, now)) yield journalOf(group);
  }
}

function journalOf({ partition, landed }: Group): Journal {
  const { length } = landingPrefix(partition);
  return {
    partition,
    output: eventsKey(partition, newEventId()),
    sources: landed.map(({ key, size }) => [key.slice(length), size]),
  };
}

function add(total: { parts: number; rows: number; sources: number; bytes: number }, published: Published): void {
  total.parts += published.rows > 0 ? 1 : 0;
  total.rows += published.rows;
  total.sources += published.sources;
  total.bytes += published.bytes;
}
