import { describe, expect, test } from 'vitest';
import { guestPage } from '../../../src/cli/guests/guest-page.ts';

const ROW = {
  event_id: '019ca8b4-1f80-7c2e-9d61-b9b0b5a2e002',
  event_fingerprint: 'f'.repeat(32),
  received_at: '2026-03-01T09:00:00.000Z',
  event_type: 'ReservationConfirmed',
  reservation_id: 'res-1',
  first_name: 'Amélie & <b>"Ann"</b>',
  email: null,
  adult_counts: 2,
  warnings: [],
  schema_version: 1,
};
const COPY = {
  made_at: '2026-03-02T00:00:00.000Z',
  received_before: '2026-03-02T00:00:00.000Z',
  events: [ROW, { ...ROW, reservation_id: null }, { ...ROW, received_at: '2026-03-01T10:00:00.000Z' }],
  other_records: [],
};

const headings = (page: string) =>
  Array.from(page.matchAll(/<h([23])>(.*?)<\/h\1>/g), ([, level, text]) => `${level} ${text}`);

describe('guestPage()', () => {
  test('has a section for each stay, and names what came without a number', () => {
    expect(headings(guestPage(COPY))).toEqual([
      '2 Reservation res-1',
      '3 ReservationConfirmed, received 2026-03-01T09:00:00.000Z',
      '3 ReservationConfirmed, received 2026-03-01T10:00:00.000Z',
      '2 Without a reservation number',
      '3 ReservationConfirmed, received 2026-03-01T09:00:00.000Z',
    ]);
  });

  test('shows what has a value and is of the guest, with what it means, and nothing as markup', () => {
    const page = guestPage({ ...COPY, events: [ROW] });
    expect(page).toContain('<td>Amélie &amp; &lt;b&gt;&quot;Ann&quot;&lt;/b&gt;</td>');
    expect(page).toMatch(/<th>Adult counts<small>[^<]+<\/small><\/th><td>2<\/td>/);
    for (const name of ['Event fingerprint', 'Schema version', 'Warnings', '>Email<']) expect(page).not.toContain(name);
    expect(page).toContain('1 message(s) about stays, 0 other record(s)');
  });

  test('has a section for refused bodies where there are some', () => {
    const refused = { kept_in: 'rejected/', body: { LastName: 'Novak' } };
    expect(headings(guestPage({ ...COPY, events: [], other_records: [refused] }))).toEqual([
      '2 Messages that were not taken',
      '3 Kept in rejected/',
    ]);
    expect(headings(guestPage({ ...COPY, events: [] }))).toEqual([]);
  });
});
