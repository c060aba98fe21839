import { describe, expect, test } from 'vitest';
import type { OfColumn } from '../../src/storage/iceberg/manifest.ts';
import { ICEBERG_FIELDS, idOf } from '../../src/storage/iceberg/schema.ts';
import { writeRows } from '../../src/table/data-file.ts';
import { HOUR, lineAt } from '../publish/landing.ts';

/** The statistics of a file of these values of a column. */
function statisticsOf(column: string, cells: readonly (string | null)[], groupRows: number) {
  const row: Record<string, unknown> = { ...JSON.parse(lineAt(HOUR)), part: 1 };
  const rows = cells.map((cell) => ICEBERG_FIELDS.map(({ name }) => (name === column ? cell : (row[name] ?? null))));
  const { lower_bounds, upper_bounds, null_value_counts } = writeRows(rows, groupRows).bounds;
  const of = <Value>(all: readonly OfColumn<Value>[]) => all.find(({ key }) => key === idOf(column))?.value;
  const text = (bytes: Uint8Array | undefined) => bytes && new TextDecoder().decode(bytes);
  return { nulls: of(null_value_counts), lower: text(of(lower_bounds)), upper: text(of(upper_bounds)) };
}

describe('boundsOf()', () => {
  // U+FFEE is before U+1F3E8 in UTF-8, and behind it in UTF-16.
  test.each([
    ['one value', ['b'], { nulls: 0, lower: 'b', upper: 'b' }],
    ['values in no order', ['b', 'c', 'a'], { nulls: 0, lower: 'a', upper: 'c' }],
    ['values beyond 2^16, last', ['\uffee', '\u{1f3e8}'], { nulls: 0, lower: '\uffee', upper: '\u{1f3e8}' }],
    ['values beyond 2^16, first', ['\u{1f3e8}', '\uffee'], { nulls: 0, lower: '\uffee', upper: '\u{1f3e8}' }],
    ['nulls among others', [null, 'b', null, 'a', null], { nulls: 3, lower: 'a', upper: 'b' }],
    ['nothing but nulls', [null, null, null], { nulls: 3, lower: undefined, upper: undefined }],
    ['a long value', ['ab'.repeat(9)], { nulls: 0, lower: 'ab'.repeat(8), upper: `${'ab'.repeat(7)}ac` }],
    [
      'a long value before surrogates',
      ['\ud7ff'.repeat(17)],
      { lower: '\ud7ff'.repeat(16), upper: `${'\ud7ff'.repeat(15)}\ue000` },
    ],
    ['a value that nothing is beyond', ['\u{10ffff}'.repeat(17)], { lower: '\u{10ffff}'.repeat(16), upper: undefined }],
  ])('says the same of %s in one row group and in several', (_, cells, expected) => {
    for (const groupRows of [1, 2, 10]) {
      expect(statisticsOf('reservation_id', cells, groupRows), String(groupRows)).toMatchObject(expected);
    }
  });
});
