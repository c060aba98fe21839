import { describe, expect, test } from 'vitest';
import type { Hit } from '../../../src/cli/guests/checkpoint.ts';
import { doubtsAbout, tableOfFound } from '../../../src/cli/guests/tell-found.ts';

const part = (day: string, by: string[]): Hit => ({
  place: 'events',
  key: `events/v1/dt=${day}/hour=09/019ca8b4-1f80-7c2e-9d61-b9b0b5a2e001.ndjson.gz`,
  line: 0,
  event_id: '019ca8b4-1f80-7c2e-9d61-b9b0b5a2e002',
  by,
});
const HITS = [part('2026-03-01', ['email', 'phone']), part('2026-03-02', ['phone_national'])];

describe('tableOfFound()', () => {
  test('counts the rows of complete days once more in parquet/', () => {
    const rows = tableOfFound(HITS, new Map([['2026-03-01', ['a', 'b']]]), true);
    expect(rows.filter(({ lines }) => lines !== 0)).toEqual([
      expect.objectContaining({
        place: 'events/',
        objects: 2,
        lines: 2,
        'found by': 'email, phone, phone without country code',
      }),
      expect.objectContaining({ place: 'parquet/', objects: 2, lines: 1, 'when erased': 'written again' }),
    ]);
  });
});

describe('doubtsAbout()', () => {
  test('counts what only a number without its country code tells', () => {
    expect(doubtsAbout(HITS)).toEqual([expect.stringMatching(/^1 line/)]);
    expect(doubtsAbout(HITS.slice(0, 1))).toEqual([]);
  });
});
