/** Dead letters back to where they belong, as the lines they were. */

import * as v from 'valibot';
import { DeadLetterSchema } from '../../storage/dead-letter.ts';
import { isLine, isRejectionLine } from '../../storage/line.ts';
import type { ObjectStore } from '../object-store.ts';
import { readObjectLines } from './object-lines.ts';
import type { Replayed } from './replayed.ts';
import type { Tally } from './tally.ts';

/** How dead letters are replayed. */
export interface DeadLetterReplay {
  readonly replayed: Replayed;
  readonly tally: Tally;
  readonly dryRun: boolean;
}

/** Where the lines of an object of dead letters belong. */
interface Sorted {
  readonly landing: readonly string[];
  readonly rejected: readonly string[];
  /** How many messages are no lines of ours. */
  readonly foreign: number;
}

/**
 * Puts the lines of one object of `dead-letter/` into an object of the same name in `landing/`, and refused bodies into
 * one in `rejected/`. All of them are of one hour, which the name says, and the name is taken once, so that two runs
 * at a time put nothing back twice. The dead letters themselves stay.
 */
export async function replayDeadLetters(
  store: Pick<ObjectStore, 'get' | 'create'>,
  key: string,
  { replayed, tally, dryRun }: DeadLetterReplay,
): Promise<void> {
  const { landing, rejected, foreign } = sort(await readObjectLines(store, key));
  const lines = landing.length + rejected.length;
  if (replayed.has(key)) {
    tally.add('done before', lines, key, '');
    return;
  }
  if (foreign > 0) tally.add('left alone', foreign, key, `${foreign} message(s) are no lines of ours`);
  if (lines === 0) return;
  if (!dryRun) {
    for (const [prefix, group] of [
      ['landing', landing],
      ['rejected', rejected],
    ] as const) {
      if (group.length > 0) await store.create(key.replace(/^dead-letter/, prefix), group.join(''));
    }
  }
  await replayed.note(key, { events: landing.length, rejections: rejected.length, foreign });
  tally.add('replayed', lines, key, `${landing.length} event(s) to landing/, ${rejected.length} to rejected/`);
}

function sort(texts: readonly string[]): Sorted {
  const letters = texts.map((text) => v.parse(DeadLetterSchema, JSON.parse(text)));
  const bodies = letters.filter(({ body_encoding }) => body_encoding === 'text').map(({ body }) => body);
  const landing = bodies.filter(isLine);
  const rejected = bodies.filter(isRejectionLine);
  return { landing, rejected, foreign: letters.length - landing.length - rejected.length };
}
