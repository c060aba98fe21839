/** Which files a copy gets and loses: by both logs, for every order in which things happen. */

import { expect, test } from 'vitest';
import { type PullRequest, planPull } from '../../../src/cli/events/plan-pull.ts';
import { parquetKey } from '../../../src/storage/keys.ts';
import type { LogEntry } from '../../../src/storage/log-entry.ts';
import type { ParquetEntry } from '../../../src/storage/parquet-entry.ts';
import { idsIn, makePart } from './publish.ts';

const DAY = '2026-03-01';
const NEXT_DAY = '2026-03-02';

function part(sequence: number, day: string, replaces: LogEntry | null = null): LogEntry {
  const partition = `dt=${day}/hour=09`;
  return makePart(sequence, partition, idsIn(partition, 1), { replaces: replaces?.key ?? null }).entry;
}

function columnar(
  sequence: number,
  covers: [number, number][],
  more: Partial<Pick<ParquetEntry, 'replaces' | 'guest_columns' | 'day'>> = {},
): ParquetEntry {
  const { partition: _, operation, ...entry } = part(sequence, DAY);
  const key = parquetKey(more.day ?? DAY, covers[0]?.[0] ?? 0, covers.at(-1)?.[1] ?? 0);
  return { ...entry, operation, key, day: DAY, guest_columns: 'kept', covers, ...more };
}

const one = part(1, DAY);
const two = part(2, DAY);
const three = part(3, NEXT_DAY);
const four = part(4, DAY, one);
const both = columnar(1, [[1, 2]]);
const withErasure = columnar(
  2,
  [
    [1, 2],
    [4, 4],
  ],
  { replaces: both.key },
);

const ALL: PullRequest = { range: {}, prefer: 'parquet', exclusive: true };
const keys = (objects: readonly { key: string }[]) => objects.map(({ key }) => key).sort();

test.each([
  ['parts alone when they are preferred', [both], { ...ALL, prefer: 'ndjson' } as const, [one, two, three]],
  ['the object for a complete day, and parts for the rest', [both], ALL, [both, three]],
  ['parts where no object covers them', [columnar(1, [[1, 1]])], ALL, [columnar(1, [[1, 1]]), two, three]],
  [
    'parts where the object leaves out guests',
    [columnar(1, [[1, 2]], { guest_columns: 'left_out' })],
    ALL,
    [one, two, three],
  ],
  [
    'parts where the object has pseudonyms',
    [columnar(1, [[1, 2]], { guest_columns: 'pseudonyms' })],
    ALL,
    [one, two, three],
  ],
  ['parts where the object covers what the log does not have', [columnar(1, [[1, 5]])], ALL, [one, two, three]],
  ['each part once when two objects cover it', [both, columnar(2, [[2, 2]])], ALL, [both, three]],
  [
    'parts for a day that the range cuts',
    [both],
    { ...ALL, range: { from: new Date('2026-03-01T09:00Z') } },
    [one, two, three],
  ],
  ['nothing outside the range', [both], { ...ALL, range: { to: new Date('2026-03-02') } }, [both]],
])('`planPull()` chooses %s', (_, objects, request, expected) => {
  const { chosen, wanted, obsolete } = planPull(
    { parts: [one, two, three], columnar: objects, present: new Set() },
    request,
  );
  expect(keys(chosen)).toEqual(keys(expected));
  expect(keys(wanted)).toEqual(keys(expected));
  expect(obsolete).toEqual([]);
});

const ERASED = [one, two, three, four];
const LATER: PullRequest = { ...ALL, range: { from: new Date('2026-03-02') } };

test.each([
  ['a part that was replaced', ERASED, [], LATER, [one.key], [three, four], [one.key]],
  ['a broken copy of it', ERASED, [], LATER, [`${one.key}.part`], [three, four], [`${one.key}.part`]],
  [
    'an object that was written before a part was replaced',
    ERASED,
    [both],
    LATER,
    [both.key],
    [two, three, four],
    [both.key],
  ],
  [
    'an object that was replaced, for the new one',
    ERASED,
    [both, withErasure],
    ALL,
    [both.key],
    [withErasure, three],
    [both.key],
  ],
  [
    'an object that was replaced, out of range',
    ERASED,
    [both, withErasure],
    LATER,
    [both.key],
    [two, three, four],
    [both.key],
  ],
  [
    'parts that an object covers',
    [one, two, three],
    [both],
    ALL,
    [one.key, two.key],
    [both, three],
    [one.key, two.key],
  ],
  [
    'no parts when both are kept',
    [one, two, three],
    [both],
    { ...ALL, exclusive: false },
    [one.key],
    [both, three],
    [],
  ],
  [
    'no object when parts are preferred',
    [one, two, three],
    [both],
    { ...ALL, prefer: 'ndjson' } as const,
    [both.key],
    [one, two, three],
    [],
  ],
  ['nothing that no log names', [one], [], ALL, ['events/v1/x', 'parquet/v1/x', two.key], [one], []],
])('`planPull()` lets go of %s', (_, parts, objects, request, present, wanted, obsolete) => {
  const plan = planPull({ parts, columnar: objects, present: new Set(present) }, request);
  expect(keys(plan.wanted)).toEqual(keys(wanted));
  expect(plan.obsolete).toEqual(obsolete);
});
