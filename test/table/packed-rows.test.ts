import { expect, test } from 'vitest';
import { ICEBERG_FIELDS } from '../../src/storage/iceberg/schema.ts';
import { PackedRows } from '../../src/table/packed-rows.ts';

const SORTED_BY = ['property_id', 'reservation_id', 'event_id'];

/** In the order of UTF-8, in which U+FFEE is before U+1F3E8; null is first, and a value before what it begins. */
const ROWS = [
  ['a', null, '2'],
  ['a', 'r', '1'],
  ['a', 'r', '3'],
  ['a', 'r\u0001', '0'],
  ['a\u0001', null, '0'],
  ['é', 's', '0'],
  ['\uffee', 'r', '0'],
  ['\u{1f3e8}', null, '0'],
];

test('`take()` gives all rows by hotel, reservation and event, whatever their order was, and keeps none', () => {
  const rows = new PackedRows();
  for (const turn of [ROWS, ROWS.toReversed(), [...ROWS.slice(3), ...ROWS.slice(0, 3)]]) {
    for (const row of turn) rows.add(ICEBERG_FIELDS.map(({ name }) => row[SORTED_BY.indexOf(name)] ?? null));
    expect(rows.length).toBe(ROWS.length);
    const taken = [...rows.take()];
    const cells = taken.map((row) =>
      SORTED_BY.map((name) => row[ICEBERG_FIELDS.findIndex((one) => one.name === name)]),
    );
    expect(cells).toEqual(ROWS);
    expect([rows.length, rows.bytes]).toEqual([0, 0]);
  }
});
