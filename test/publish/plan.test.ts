import { describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/publish/limits.ts';
import { type Group, groupsOf, isDue, type Landed } from '../../src/publish/plan.ts';

/** Small enough to be reached with few objects. */
const FEW = { partSourceBytes: 1_000, partSources: 3 };

const HOUR = Date.parse('2026-07-10T09:00:00Z');
const MINUTE = 60_000;
const PARTITION = 'dt=2026-07-10/hour=09';

function landed(name: string, size = 100, partition = PARTITION): Landed {
  return { key: `landing/${partition}/${name}.ndjson`, size, uploaded: new Date(HOUR + MINUTE) };
}

async function* listing(objects: readonly Landed[]): AsyncGenerator<Landed> {
  yield* objects;
}

async function groups(objects: readonly Landed[]): Promise<[string, number, boolean][]> {
  const found: [string, number, boolean][] = [];
  for await (const group of groupsOf(listing(objects), FEW))
    found.push([group.partition, group.landed.length, group.full]);
  return found;
}

describe('groupsOf()', () => {
  test.each<[string, Landed[], [string, number, boolean][]]>([
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
  ])('groups %s', async (_, objects, expected) => {
    expect(await groups(objects)).toEqual(expected);
  });
});

describe('isDue()', () => {
  const group: Group = { partition: PARTITION, landed: [landed('a')], bytes: 100, full: false };
  test.each<[string, Partial<Group>, number, boolean]>([
    ['before the hour is over', {}, 59, false],
    ['when the hour is over, before it has rested', {}, 64, false],
    ['when the hour has rested', {}, 65, true],
    ['in the middle of the hour when the group is full', { full: true }, 30, true],
    [
      'when a late line has only just landed',
      { landed: [{ ...landed('a'), uploaded: new Date(HOUR + 178 * MINUTE) }] },
      180,
      false,
    ],
  ])('%s', (_, more, minutes, expected) => {
    expect(isDue({ ...group, ...more }, HOUR + minutes * MINUTE, LIMITS)).toBe(expected);
  });
});
