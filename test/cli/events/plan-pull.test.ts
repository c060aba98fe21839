/** Which files a copy gets and loses: by the log, for every order in which things happen. */

import { expect, test } from 'vitest';
import { planPull } from '../../../src/cli/events/plan-pull.ts';
import type { LogEntry } from '../../../src/storage/log-entry.ts';
import { idsIn, makePart } from './publish.ts';

function part(sequence: number, day: string, replaces: LogEntry | null = null): LogEntry {
  const partition = `dt=${day}/hour=09`;
  return makePart(sequence, partition, idsIn(partition, 1), { replaces: replaces?.key ?? null }).entry;
}

const one = part(1, '2026-03-01');
const two = part(2, '2026-03-01');
const three = part(3, '2026-03-02');
const four = part(4, '2026-03-01', one);
const five = part(5, '2026-03-01', four);

const keys = (objects: readonly { key: string }[]) => objects.map(({ key }) => key).sort();

test.each([
  ['all parts', {}, [one, two, three]],
  ['parts of an hour that the range cuts', { from: new Date('2026-03-01T09:30Z') }, [one, two, three]],
  ['nothing outside the range', { to: new Date('2026-03-02') }, [one, two]],
])('`planPull()` chooses %s', (_, range, expected) => {
  const { chosen, wanted, obsolete } = planPull([one, two, three], [], range);
  expect([keys(chosen), keys(wanted), obsolete]).toEqual([keys(expected), keys(expected), []]);
});

const ERASED = [one, two, three, four, five];
const LATER = { from: new Date('2026-03-02') };

test.each([
  ['a part that was replaced', ERASED, [one.key], [three, five], [one.key]],
  ['a broken copy of it', ERASED, [`${one.key}.part`], [three, five], [`${one.key}.part`]],
  ['each of several that were replaced in turn', ERASED, [one.key, four.key], [three, five], [one.key, four.key]],
  ['nothing that the log does not name', [one], ['events/v1/x', two.key], [], []],
])('`planPull()` lets go of %s, out of range too', (_, entries, present, wanted, obsolete) => {
  const plan = planPull(entries, present, LATER);
  expect(keys(plan.wanted)).toEqual(keys(wanted));
  expect(plan.obsolete).toEqual(obsolete);
});
