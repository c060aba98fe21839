import { describe, expect, test } from 'vitest';
import { divideBody, divideRow } from '../../../src/cli/guests/divide.ts';
import { rowOf } from '../../guests/selections.ts';

const OWN = {
  CustomerId: 'cust-9',
  FirstName: 'Zoë',
  LastName: 'Åkesson',
  Email: 'zoe@example.com',
  Phone: '+46 8 123 4567',
  StaffComment: 'Late arrival',
};
const WANTED = new Set(['email:zoe@example.com']);
const COMPANION = { Name: 'Jan Novák', Email: 'jan@example.com', Room: 'twin beds' };

/** What is handed out as one text, and the members that a person has to see to. */
function divided(columns: Readonly<Record<string, unknown>>, wanted: ReadonlySet<string> = WANTED) {
  const { kept, undecided } = divideRow(rowOf(columns), wanted);
  return { kept: kept as Record<string, unknown>, undecided: undecided.map(({ member, why }) => `${member}: ${why}`) };
}

describe('divideRow()', () => {
  test('keeps the columns of the guest’s own stay, comments too', () => {
    const { kept, undecided } = divided(OWN);
    expect(kept).toMatchObject({ last_name: 'Åkesson', phone: '+46 8 123 4567', staff_comment: 'Late arrival' });
    expect(undecided).toEqual([]);
  });

  test.each([
    ['a companion', { Companion: COMPANION }, ['extra.Companion: names somebody else']],
    [
      'those of a list',
      { Guests: [COMPANION, { Email: 'zoe@example.com', Age: 40 }] },
      ['extra.Guests.0: names somebody else'],
    ],
    ['who booked, in one member', { BookerEmail: 'jan@example.com' }, ['extra.BookerEmail: names somebody else']],
    ['who booked, by name alone', { BookedBy: 'Jan Novák' }, ['extra.BookedBy: does not say whom it is about']],
    ['two in one text', { Note: 'jan@example.com with zoe@example.com' }, ['extra.Note: names somebody else']],
    ['JSON in a text', { Note: JSON.stringify(COMPANION) }, ['extra.Note: names somebody else']],
    ['the comment', { StaffComment: 'bill to jan@example.com' }, ['staff_comment: names somebody else']],
  ])('hands out nothing of %s, and names it', (_, columns, expected) => {
    const { kept, undecided } = divided({ ...OWN, ...columns });
    expect(undecided).toEqual(expected);
    expect(JSON.stringify(kept)).not.toMatch(/jan|twin/i);
  });

  test('keeps no empty object where nothing in it is the guest’s', () => {
    const { kept, undecided } = divided({ ...OWN, Misc: { Room: 'twin beds' }, Likes: { Email: 'zoe@example.com' } });
    expect(undecided).toEqual(['extra.Misc.Room: does not say whom it is about']);
    expect(kept.extra).toEqual({ Likes: { Email: 'zoe@example.com' } });
  });

  test('keeps a member of the guest’s own stay that is named as a field of the guest, whatever it holds', () => {
    const { kept, undecided } = divided({ ...OWN, GuestPhone: '+46 8 765 43 21' });
    expect(undecided).toEqual([]);
    expect(kept.extra).toEqual({ GuestPhone: '+46 8 765 43 21' });
  });

  test('keeps of extra what is the guest’s', () => {
    const BirthDate = '2.11.1987';
    const { kept, undecided } = divided({
      ...OWN,
      BirthDate,
      GuestPhone: '08 765 43 21',
      Profile: { Email: 'Zoe@example.com', Likes: 'tea', Address: { Street: 'Storgatan 1' } },
      PhoneAtHome: '+46 8 123 45 67',
    });
    expect(undecided).toEqual([]);
    expect(kept.extra).toEqual({
      BirthDate,
      GuestPhone: '08 765 43 21',
      Profile: { Email: 'Zoe@example.com', Likes: 'tea', Address: { Street: 'Storgatan 1' } },
      PhoneAtHome: '+46 8 123 45 67',
    });
  });

  test('hands out no column of another guest whose row names this one, and what it says of this one', () => {
    const guests = { Companions: [{ Email: 'a@example.com', Age: 40 }, { Email: 'b@example.com' }, 'twin beds'] };
    const { kept, undecided } = divided({ ...OWN, ...guests }, new Set(['email:a@example.com']));
    expect(JSON.stringify(kept)).not.toMatch(/kesson|zoe@|b@example|Late arrival|cust-9|twin/);
    expect(kept).toMatchObject({ reservation_id: 'res-1', property_id: 'hotel-1' });
    expect(kept.extra).toEqual({ Companions: [{ Email: 'a@example.com', Age: 40 }] });
    expect(undecided).toEqual([
      'staff_comment: does not say whom it is about',
      'extra.Companions.1: names somebody else',
      'extra.Companions.2: does not say whom it is about',
    ]);
  });

  test('hands out nothing of another guest that may be personal: a column of a later version, and the key', () => {
    const others = { StaffComment: 'bill to a@example.com' };
    const row = { ...rowOf({ ...OWN, ...others }), idempotency_key: 'zoe-7', loyalty_tier: 'gold' };
    const { kept } = divideRow(row, new Set(['email:a@example.com']));
    expect(kept).not.toHaveProperty('loyalty_tier');
    expect(kept).not.toHaveProperty('idempotency_key');
    expect(kept).toHaveProperty('property_id');
  });

  test('never drops anything without naming it', () => {
    const row = rowOf({ ...OWN, A: [{ Email: 'b@example.com' }, 'x', { y: [1, null] }], B: { C: { D: 'z' } } });
    const { kept, undecided } = divideRow(row, WANTED);
    const told = JSON.stringify([kept, undecided]);
    for (const value of ['b@example.com', '"x"', '"value":1', '"z"']) expect(told).toContain(value);
  });
});

describe('divideBody()', () => {
  test('keeps the object that is the guest’s, and names the others', () => {
    const body = JSON.stringify({ guests: [{ Email: 'zoe@example.com', Room: 1 }, COMPANION], Hotel: 'x' });
    const { kept, undecided } = divideBody(body, WANTED);
    expect(kept).toEqual({ guests: [{ Email: 'zoe@example.com', Room: 1 }] });
    expect(undecided.map(({ member }) => member)).toEqual(['body.guests.1', 'body.Hotel']);
  });

  test('leaves what is no JSON to a person, whole', () => {
    const text = '<Email>zoe@example.com</Email>';
    expect(divideBody(text, WANTED)).toEqual({
      kept: undefined,
      undecided: [{ member: 'body', why: 'does not say whom it is about', value: text }],
    });
  });
});
