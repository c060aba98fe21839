/**
 * Rows that wait to be sorted and written: as text without the column names, which are half of a line. As objects they
 * would take several times the memory.
 */

import { Buffer } from 'node:buffer';
import { ICEBERG_FIELDS } from '../storage/iceberg/schema.ts';

/** The columns by which rows are sorted. */
const SORTED_BY = ['property_id', 'reservation_id', 'event_id'].map((name) =>
  ICEBERG_FIELDS.findIndex((field) => field.name === name),
);

/** The values of a row, in the order of the columns. */
export type Values = readonly unknown[];

export class PackedRows {
  #bytes = 0;
  #rows: { readonly key: string; readonly text: string }[] = [];

  /** The size of the packed rows in UTF-8. In memory they take up to two and a half times as much. */
  get bytes(): number {
    return this.#bytes;
  }

  get length(): number {
    return this.#rows.length;
  }

  add(values: Values): void {
    const text = JSON.stringify(values);
    this.#rows.push({ key: keyOf(values), text });
    this.#bytes += Buffer.byteLength(text);
  }

  /** Yields all rows in sort order and forgets them. */
  *take(): Generator<Values> {
    const rows = this.#rows.sort(({ key: left }, { key: right }) => (left < right ? -1 : 1));
    this.#rows = [];
    this.#bytes = 0;
    for (const { text } of rows) yield JSON.parse(text);
  }
}

/**
 * The sort key of a row: its UTF-8 bytes as characters, since Parquet and Iceberg order strings by these and JavaScript
 * by UTF-16 units. No value contains U+0000, which sorts first, and null sorts before any value.
 */
function keyOf(values: Values): string {
  return Buffer.from(SORTED_BY.map((column) => values[column] ?? '').join('\0')).toString('latin1');
}
