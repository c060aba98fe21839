import { describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/publish/limits.ts';
import { type Group, groupsOf, isDue, type LandedObject, wavesOf } from '../../src/publish/plan.ts';

/** Small enough to be reached with few objects. */
const FEW = { partSourceBytes: 1_000, partSources: 3 };

const HOUR = Date.parse('2026-07-10T09:00:00Z');
const MINUTE = 60_000;
const PARTITION = 'dt=2026-07-10/hour=09';

function landed(name: string, size = 100, partition = PARTITION): LandedObject {
  return { key: `landing/${partition}/${name}.ndjson`, size, uploaded: new Date(HOUR + MINUTE) };
}

function groups(objects: readonly LandedObject[]): [string, number, boolean][] {
  return Array.from(groupsOf(objects, FEW), ({ partition, landed, full }) => [partition, landed.length, full]);
}

describe('groupsOf()', () => {
  test.each<[string, LandedObject[], [string, number, boolean][]]>([
    ['nothing', [], []],
    [
      'two hours',
      [landed('a'), landed('b'), landed('c', 1, 'dt=2026-07-10/hour=10')],
      [
        [PARTITION, 2, false],
        ['dt=2026-07-10/hour=10', 1, false],
      ],
    ],
    [
      'more bytes than a part takes',
      [landed('a', FEW.partSourceBytes), landed('b', 1)],
      [
        [PARTITION, 1, true],
        [PARTITION, 1, false],
      ],
    ],
    ['one object larger than a part', [landed('a', FEW.partSourceBytes + 1)], [[PARTITION, 1, false]]],
    [
      'more objects than a part takes',
      Array.from({ length: FEW.partSources + 1 }, (_, at) => landed(`${at}`)),
      [
        [PARTITION, FEW.partSources, true],
        [PARTITION, 1, false],
      ],
    ],
    ['an object in no hour', [landed('a'), landed('b', 1, 'dt=someday/hour=99')], [[PARTITION, 1, false]]],
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

  test.each<[string, [string, number][], number[]]>([
    ['nothing', [], []],
    [
      'as many hours as are allowed',
      [
        ['a', 1],
        ['b', 1],
        ['c', 1],
        ['d', 1],
      ],
      [3, 1],
    ],
    [
      'an hour only once',
      [
        ['a', 1],
        ['a', 1],
        ['b', 1],
      ],
      [1, 2],
    ],
    [
      'no more bytes',
      [
        ['a', 3],
        ['b', 3],
        ['c', 1],
      ],
      [2, 1],
    ],
    [
      'what alone has more',
      [
        ['a', 7],
        ['b', 1],
      ],
      [1, 1],
    ],
  ])('takes %s', (_, groups, expected) => {
    const waves = [
      ...wavesOf(
        groups.map(([hour, count]) => groupIn(hour, count)),
        limits,
      ),
    ];
    expect(waves.map((wave) => wave.length)).toEqual(expected);
    expect(waves.flat().map(({ partition }) => partition)).toEqual(groups.map(([hour]) => hour));
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
