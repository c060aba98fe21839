import { describe, expect, test } from 'vitest';
import { countOf, readCounts, writeCounts } from '../../src/storage/counts.ts';

describe('writeCounts() and readCounts()', () => {
  test('keep counts, the largest first', () => {
    const counts = countOf(['hotel-a', 'hotel.b', undefined, 'hotel.b', 'default']);
    expect(writeCounts(counts)).toBe('hotel.b=2,hotel-a=1,default=1');
    expect(readCounts(writeCounts(counts))).toEqual(counts);
  });

  test('have a text of no names', () => {
    expect(writeCounts(new Map())).toBe('');
    expect(readCounts('')).toEqual(new Map());
    expect(readCounts(undefined)).toEqual(new Map());
  });

  test('count together what has no room, and lose nothing', () => {
    const names = Array.from({ length: 200 }, (_, at) => `sender-${at}-${'x'.repeat(50)}`);
    const text = writeCounts(new Map(names.map((name, at) => [name, at + 1])));
    expect(text.length).toBeLessThan(1_600);
    const counts = readCounts(text);
    expect(counts.get('*')).toBeGreaterThan(0);
    expect(counts.values().reduce((sum, count) => sum + count, 0)).toBe((200 * 201) / 2);
  });

  test.each(['nonsense', 'a=b', 'a=1e9', '=1', '<b>=1'])('pass over %s', (text) => {
    expect(readCounts(`${text},hotel-a=2`)).toEqual(new Map([['hotel-a', 2]]));
  });
});
