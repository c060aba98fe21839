import { describe, expect, test } from 'vitest';
import type { Hit } from '../../../src/cli/guests/checkpoint.ts';
import { doubtsAbout, tableOfFound, tableOfStays } from '../../../src/cli/guests/describe-found.ts';

const EVENT_ID = '019ca8b4-1f80-7c2e-9d61-b9b0b5a2e002';
const part = (day: string, by: string[], own = true): Hit => ({
  place: 'events',
  key: `events/v1/dt=${day}/hour=09/019ca8b4-1f80-7c2e-9d61-b9b0b5a2e001.ndjson.gz`,
  line: 0,
  event_id: EVENT_ID,
  by,
  own,
});
const REFUSED: Hit = { place: 'rejected', key: 'rejected/1', line: 0, event_id: null, by: ['customer_id?'], own: true };
const HITS = [part('2026-03-01', ['email', 'phone']), part('2026-03-02', ['phone_national']), REFUSED];
const objects = new Map([
  ['rejected/1', { bytes: 1, modified: new Date('2026-03-01T23:00:00Z') }],
  ['rejected/2', { bytes: 1, modified: new Date('2026-03-20T00:00:00Z') }],
]);

describe('tableOfFound()', () => {
  test('counts by place, and says on which day each of the others is gone', () => {
    const rows = tableOfFound({ hits: HITS, objects }, false).filter(({ lines }) => lines !== 0);
    expect(rows).toEqual([
      { place: 'events/', objects: 2, lines: 2, 'found by': 'email, phone, phone without country code', until: '' },
      {
        place: 'rejected/',
        objects: 1,
        lines: 1,
        'found by': 'customer_id of an unknown hotel',
        until: 'gone on 2026-04-01 at the latest',
      },
    ]);
  });

  test('takes the last day of several objects', () => {
    const hits = [REFUSED, { ...REFUSED, key: 'rejected/2' }];
    const rows = tableOfFound({ hits, objects }, true).filter(({ lines }) => lines !== 0);
    expect(rows).toEqual([expect.objectContaining({ 'what becomes of them': 'gone on 2026-04-20 at the latest' })]);
  });
});

describe('tableOfStays()', () => {
  const row = {
    integration_id: 'int-1',
    property_id: 'hotel-1',
    reservation_id: 'res-1',
    first_name: 'Amélie',
    last_name: null,
    start_utc: '2026-07-10T14:00:00.000Z',
    end_utc: '2026-07-14T10:00:00.000Z',
  };

  test('says whose stays would be erased, and where the guest is only named', () => {
    const rows = [
      { hit: HITS[0] ?? REFUSED, row },
      { hit: HITS[1] ?? REFUSED, row: { ...row, start_utc: '2026-07-09T14:00:00.000Z' } },
      { hit: part('2026-03-03', ['email'], false), row: { ...row, property_id: 'hotel-2', first_name: null } },
    ];
    expect(tableOfStays(rows)).toEqual([
      {
        hotel: 'int-1 / hotel-1',
        reservation: 'res-1',
        guest: 'Amélie',
        stay: '2026-07-09 to 2026-07-14',
        events: 2,
        'what goes': 'all columns of the guest',
      },
      {
        hotel: 'int-1 / hotel-2',
        reservation: 'res-1',
        guest: 'without a name',
        stay: '2026-07-10 to 2026-07-14',
        events: 1,
        'what goes': 'the comment and extra, in which the guest is named',
      },
    ]);
  });
});

describe('doubtsAbout()', () => {
  const none = { hits: [], damaged: [], cut: [], moved: 0 };

  test('counts what only a number without its country code, or an id without its hotel tells', () => {
    expect(doubtsAbout({ ...none, hits: HITS })).toEqual([
      expect.stringMatching(/^1 line.*without its country code/),
      expect.stringMatching(/^1 line.*do not name its hotel/),
    ]);
    expect(doubtsAbout({ ...none, hits: HITS.slice(0, 1) })).toEqual([]);
  });

  test('names what could not be read', () => {
    const keys = Array.from({ length: 7 }, (_, at) => `key-${at}`);
    expect(doubtsAbout({ ...none, damaged: ['a'], cut: keys, moved: 2 })).toEqual([
      expect.stringMatching(/^1 object.*cannot be read to the end.*: a$/),
      expect.stringMatching(/^7 object.*: key-0, key-1, key-2, key-3, key-4, and 2 more$/),
      expect.stringMatching(/^2 object.*moved before they could be read.*: run this again$/),
    ]);
  });
});
