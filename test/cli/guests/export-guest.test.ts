import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { v7 } from 'uuid';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { exportGuest } from '../../../src/cli/guests/export-guest.ts';
import { toLine } from '../../../src/storage/line.ts';
import { NOBODY } from '../../guests/selections.ts';
import { rejectionLine } from '../../records.ts';
import { FULL_EVENT } from '../../sample.ts';
import { sampleRow } from '../../sample-row.ts';

const NOW = new Date('2026-07-10T10:00:00.000Z');
const EMAIL = 'amelie.novak@example.com';
const [EARLIER, LATER] = [v7({ msecs: NOW.getTime() - 2_000 }), v7({ msecs: NOW.getTime() - 1_000 })];
const LANDED = 'landing/dt=2026-07-10/hour=09/a.ndjson';
const REJECTED = 'rejected/dt=2026-07-10/hour=09/b.ndjson';

const lineOf = (id: string, more: object) => toLine(sampleRow({ ...FULL_EVENT, Email: EMAIL, ...more }, id));
const OBJECTS: Readonly<Record<string, string>> = {
  [LANDED]: lineOf(LATER, {}) + lineOf(EARLIER, { BookedBy: 'Jan Novák' }),
  [REJECTED]: rejectionLine(JSON.stringify({ Email: EMAIL })),
};

const hitOf = (place: 'landing' | 'rejected', key: string, line: number, event_id: string | null) => {
  return { place, key, line, event_id, by: ['email'], own: true };
};

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'export-'));
});
afterEach(() => rm(folder, { recursive: true }));

test('`exportGuest()` writes events in their order, what is kept of bodies, and what a person has to decide', async () => {
  const found = {
    startedAt: NOW,
    logThrough: 0,
    through: NOW,
    hits: [
      hitOf('landing', LANDED, 0, LATER),
      hitOf('landing', LANDED, 1, EARLIER),
      hitOf('rejected', REJECTED, 0, null),
    ],
    objects: new Map(),
    damaged: [],
    moved: 0,
    cut: [],
  };
  const store = { get: async (key: string) => Buffer.from(OBJECTS[key] ?? '') };
  const { toDecide } = await exportGuest(store, folder, { ...NOBODY, emails: [EMAIL] }, found);
  const read = async (name: string) => JSON.parse(await readFile(join(folder, name), 'utf8'));
  const copy = await read('guest.json');
  expect(copy.events.map((event: { event_id: string }) => event.event_id)).toEqual([EARLIER, LATER]);
  expect(copy.other_records).toEqual([expect.objectContaining({ kept_in: 'rejected/', body: { Email: EMAIL } })]);
  expect(JSON.stringify(copy)).not.toContain('Jan Novák');
  const why = 'does not say whom it is about';
  expect(toDecide).toContainEqual({ key: LANDED, line: 1, member: 'extra.BookedBy', why, value: 'Jan Novák' });
  expect(await read('decide.json')).toEqual(toDecide);
  expect((await stat(join(folder, 'decide.json'))).mode & 0o777).toBe(0o600);
});
