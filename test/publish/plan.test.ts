import { describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/publish/limits.ts';
import { type Group, groupsOf, isDue, type LandedObject, wavesOf } from '../../src/publish/plan.ts';

/** Small enough to be reached with few objects. */
const FEW = { partSourceBytes: 1_000, partSources: 3 };

const HOUR = Date.parse('2026-07-10T09:00:00Z');
const MINUTE = 60_000;
const PARTITION = 'dt=2026-07-10/hour=09';
const NEXT_HOUR = 'dt=2026-07-10/hour=10';

function landed(name: string, size = 100, partition = PARTITION): LandedObject {
  return { key: `landing/${partition}/${name}.ndjson`, size, uploaded: new Date(HOUR + MINUTE) };
}

/** The hour of each group, how many objects it has, and whether it is full. */
function groups(objects: readonly LandedObject[]): string[] {
  return Array.from(groupsOf(objects, FEW), ({ partition, landed, full }) =>
    [partition.slice(-2), landed.length, full ? 'full' : 'open'].join(' '),
  );
}

describe('groupsOf()', () => {
  test.each<[string, LandedObject[], string[]]>([
    ['nothing', [], []],
    ['two hours', [landed('a'), landed('b'), landed('c', 1, NEXT_HOUR)], ['09 2 open', '10 1 open']],
    ['more bytes than a part takes', [landed('a', 1_000), landed('b', 1)], ['09 1 full', '09 1 open']],
    ['one object larger than a part', [landed('a', 1_001)], ['09 1 open']],
    ['more objects than a part takes', ['a', 'b', 'c', 'd'].map((name) => landed(name)), ['09 3 full', '09 1 open']],
    ['an object in no hour', [landed('a'), landed('b', 1, 'dt=someday/hour=99')], ['09 1 open']],
  ])('groups %s', (_, objects, expected) => {
    expect(groups(objects)).toEqual(expected);
  });

  test('knows when the first object of a group landed', () => {
    const younger = { ...landed('a'), uploaded: new Date(HOUR + 2 * MINUTE) };
    const [group] = [...groupsOf([younger, landed('b')], FEW)];
    expect(group?.oldest).toBe(HOUR + MINUTE);
  });
});

/** A group of objects of 100 bytes. */
function groupIn(partition: string, count: number): Group {
  const objects = Array.from({ length: count }, (_, at) => landed(`${at}`, 100, partition));
  return { partition, landed: objects, bytes: 100 * count, oldest: HOUR, full: false };
}

describe('wavesOf()', () => {
  const limits = { hoursAtOnce: 3, hoursAtOnceBytes: 600, partSources: 8 };

  test.each([
    // The hour of each group, and how many objects it has.
    ['nothing', '', []],
    ['as many hours as are allowed', 'a1 b1 c1 d1', [3, 1]],
    ['an hour only once', 'a1 a1 b1', [1, 2]],
    ['no more bytes', 'a3 b3 c1', [2, 1]],
    ['what alone has more', 'a7 b1', [1, 1]],
  ])('takes %s', (_, text, expected) => {
    const groups = Array.from(text.matchAll(/(\w)(\d)/g), ([, hour = '', count]) => groupIn(hour, Number(count)));
    const waves = [...wavesOf(groups, limits)];
    expect(waves.map((wave) => wave.length)).toEqual(expected);
    expect(waves.flat()).toEqual(groups);
  });

  test('takes no more objects than a part does', () => {
    const groups = ['a', 'b', 'c'].map((hour) => groupIn(hour, 4));
    const waves = [...wavesOf(groups, { ...limits, hoursAtOnceBytes: 10_000 })];
    expect(waves.map((wave) => wave.length)).toEqual([2, 1]);
  });
});

describe('isDue()', () => {
  const MINUTES = [5, 15, 60] as const;

  test.each<[string, number, readonly [number, number, number]]>([
    // When the oldest object landed, and when the group is published with each choice, in minutes after the hour began.
    ['in the middle of the hour', 10, [15, 25, 65]],
    ['at the start of the hour', 0, [5, 15, 61.5]],
    ['so that its time comes with the end of the hour', 56, [61.5, 65, 65]],
    ['just before the end of the hour', 59.5, [64.5, 65, 65]],
    ['after the end of the hour', 62, [67, 67, 67]],
    ['hours later', 600, [605, 605, 605]],
  ])('takes a group whose oldest object landed %s', (_, at, due) => {
    const group = { ...groupIn(PARTITION, 1), oldest: HOUR + at * MINUTE };
    const found = MINUTES.map((minutes) => {
      const limits = { ...LIMITS, publishAfterMs: minutes * MINUTE };
      for (let half = 0; ; half++) if (isDue(group, HOUR + (half * MINUTE) / 2, limits)) return half / 2;
    });
    expect(found).toEqual(due);
  });

  test('takes a group that is full at once', () => {
    expect(isDue({ ...groupIn(PARTITION, 1), full: true }, HOUR + MINUTE, LIMITS)).toBe(true);
  });
});
