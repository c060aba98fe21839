import { describe, expect, test } from 'vitest';
import { guestPartOfRow } from '../../../src/cli/guests/guest-part.ts';
import { FULL_EVENT } from '../../sample.ts';
import { sampleRow } from '../../sample-row.ts';

const EVENT_ID = '019e3b9d-9d90-7c3e-9a54-2b6f0c81d7e4';
const FAMILY = { Companions: [{ Email: 'a@example.com', Age: 40 }, { Email: 'b@example.com' }, 'twin beds'] };
const row = { ...sampleRow({ ...FULL_EVENT, ...FAMILY }, EVENT_ID) };

describe('guestPartOfRow()', () => {
  test('keeps the guest’s own row but for the others in its lists', () => {
    const part = guestPartOfRow(row, new Set([`email:${FULL_EVENT.Email}`]));
    expect(part).toMatchObject({ last_name: 'Åkesson', staff_comment: FULL_EVENT.StaffComment });
    expect(part.extra).toBe('{"Companions":["(another guest, left out)","(another guest, left out)","twin beds"]}');
  });

  test('leaves out the columns of another guest whose row names this one', () => {
    const part = guestPartOfRow(row, new Set(['email:a@example.com']));
    expect(JSON.stringify(part)).not.toMatch(/kesson|zoe@|b@example|Late arrival|cust-9/);
    expect(part).toMatchObject({ reservation_id: 'res-77120', property_id: 'prop-2207' });
    expect(part.extra).toContain('a@example.com');
  });
});
