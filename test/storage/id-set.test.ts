import { v7 } from 'uuid';
import { describe, expect, test } from 'vitest';
import { IdSet } from '../../src/storage/id-set.ts';
import { newEventIdWords, readEventId } from '../../src/storage/line-bytes.ts';

const id = newEventIdWords();

function words(eventId: string) {
  readEventId(new TextEncoder().encode(`{"event_id":"${eventId}","a":1}\n`), id);
  return id;
}

describe('IdSet', () => {
  test('agrees with a Set of strings on a hundred thousand event_ids of a few milliseconds', () => {
    const ids = Array.from({ length: 100_000 }, (_, at) => v7({ msecs: 1_780_000_000_000 + (at % 5) }));
    const set = new IdSet();
    for (const one of ids) if (!set.add(words(one))) expect.unreachable(one);
    expect(set.size).toBe(ids.length);
    for (const one of ids) if (!set.has(words(one)) || set.add(words(one))) expect.unreachable(one);
    for (let at = 0; at < 10_000; at++) if (set.has(words(v7()))) expect.unreachable();
  });

  test('finds out at once that an event_id is missing, also among thousands that follow one another', () => {
    const numbered = (at: number) => words(`019f4c1e-7a52-7cc1-8f5b-${at.toString(16).padStart(12, '0')}`);
    const set = new IdSet();
    for (let at = 0; at < 300_000; at += 2) set.add(numbered(at));
    let found = 0;
    // A look that went through a row of taken places would take minutes.
    for (let at = 1; at < 300_000; at += 2) if (set.has(numbered(at))) found += 1;
    for (let at = 300_000; at < 900_000; at++) if (set.has(numbered(at))) found += 1;
    expect(found).toBe(0);
    expect(set.size).toBe(150_000);
  });

  test.each([0, 9, 15, 20, 35])('tells apart event_ids that differ in character %i alone', (at) => {
    const one = '019f4c1e-7a52-7cc1-8f5b-2f6f3c0b9d1e';
    const other = `${one.slice(0, at)}${one[at] === 'a' ? 'b' : 'a'}${one.slice(at + 1)}`;
    const set = new IdSet();
    set.add(words(one));
    expect(set.has(words(other))).toBe(false);
    expect(set.has(words(one))).toBe(true);
  });
});
