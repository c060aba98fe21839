/** A day of a large hotel group, as landing would have written it. */

import { createHash } from 'node:crypto';
import { v7 } from 'uuid';
import { generateStays } from '../../src/cli/generate-stays.ts';
import { objectKey, partitionOf } from '../../src/storage/keys.ts';
import { toLine } from '../../src/storage/line.ts';
import { sampleRow } from '../sample-row.ts';

const DAY = Date.parse('2026-07-10T00:00:00Z');
const DAY_MS = 86_400_000;
const HOURS = 24;
const ROWS_AN_OBJECT = 100;
/** Different events; each is sent many times, under an event_id of its own. */
const EVENTS = 5_000;

/** Makes the objects of a day in the order of time, those of one hour after those of the other. */
export function* landedDay(rowsAnHour: number) {
  const events = generateStays(7)
    .take(EVENTS)
    .map((event) => ({ event, fingerprint: createHash('md5').update(JSON.stringify(event)).digest('hex') }))
    .toArray();
  const objects = Math.ceil(rowsAnHour / ROWS_AN_OBJECT) * HOURS;
  for (let at = 0; at < objects; at += 1) {
    const msecs = DAY + Math.floor((at / objects) * DAY_MS);
    const lines = Array.from({ length: ROWS_AN_OBJECT }, (_, row) => {
      const { event = {}, fingerprint } = events[(at * ROWS_AN_OBJECT + row) % EVENTS] ?? {};
      return toLine(sampleRow(event, v7({ msecs }), fingerprint));
    });
    yield { key: objectKey('landing', partitionOf(new Date(msecs)), v7({ msecs })), body: lines.join('') };
  }
}
