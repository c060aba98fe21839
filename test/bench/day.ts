/** A day of a large hotel group, as landing would have written it. */

import { createHash } from 'node:crypto';
import { v7 } from 'uuid';
import { generateStays } from '../../src/cli/generate-stays.ts';
import { objectKey, partitionOf } from '../../src/storage/keys.ts';
import { toLine } from '../../src/storage/line.ts';
import { sampleRow } from '../sample-row.ts';

const DAY = Date.parse('2026-07-10T00:00:00Z');
const DAY_MS = 86_400_000;
const ROWS_AN_OBJECT = 100;
/** One line in so many lands a second time, in the next object. */
const TWIN_EVERY = 200;
/** Different events; each is sent many times, under an event_id of its own. */
const EVENTS = 5_000;

/** One object of `landing/`. */
export interface LandedObject {
  readonly key: string;
  readonly body: string;
  /** Without those that landed before. */
  readonly rows: number;
}

/** Makes the objects of a day in the order of time. */
export function* landedDay(rows: number): Generator<LandedObject> {
  const events = eventsOfStays();
  let twin = '';
  let partition = '';
  let lines: string[] = [];
  for (let row = 0; row <= rows; row++) {
    const time = DAY + Math.floor((row / rows) * (DAY_MS - 1));
    const next = partitionOf(new Date(time));
    if (lines.length === ROWS_AN_OBJECT || row === rows || next !== partition) {
      if (lines.length > 0) {
        const sameHour = twin.includes(`"received_at":"${partition.slice(3, 13)}T${partition.slice(-2)}`);
        const body = (sameHour ? twin : '') + lines.join('');
        yield { key: objectKey('landing', partition, v7({ msecs: time })), body, rows: lines.length };
        twin = lines[TWIN_EVERY % 2] ?? '';
        if (row % (TWIN_EVERY * 2) >= TWIN_EVERY) twin = '';
      }
      lines = [];
      partition = next;
    }
    lines.push((events[row % events.length] ?? (() => ''))(time));
  }
}

/** Functions that give the line of an event for a time of receipt. */
function eventsOfStays(): ((time: number) => string)[] {
  const stays = generateStays(7);
  return Array.from({ length: EVENTS }, () => {
    const event = stays.next().value;
    const eventId = v7({ msecs: DAY });
    const fingerprint = createHash('md5').update(JSON.stringify(event)).digest('hex');
    const [before = '', after = ''] = toLine(sampleRow(event, eventId, fingerprint))
      .slice(`{"event_id":"${eventId}`.length)
      .split(new Date(DAY).toISOString());
    return (time) => `{"event_id":"${v7({ msecs: time })}${before}${new Date(time).toISOString()}${after}`;
  });
}
