/** Rows that wait to be sorted and written: as text without the column names, which are half of a line. */

import { Buffer } from 'node:buffer';
import { ICEBERG_FIELDS } from '../storage/iceberg/schema.ts';

/** Size of the chunks that rows are packed into, in bytes. */
const CHUNK_BYTES = 1024 * 1024;

/** The columns by which rows are sorted. */
const SORTED_BY = ['property_id', 'reservation_id', 'event_id'].map((name) =>
  ICEBERG_FIELDS.findIndex((field) => field.name === name),
);

/** The values of a row, in the order of the columns. */
export type Values = readonly unknown[];

interface Place {
  readonly chunk: Uint8Array;
  readonly start: number;
  readonly end: number;
  readonly key: string;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export class PackedRows {
  #chunk = new Uint8Array(0);
  #used = 0;
  #bytes = 0;
  #places: Place[] = [];

  /** The size of the packed rows. */
  get bytes(): number {
    return this.#bytes;
  }

  get length(): number {
    return this.#places.length;
  }

  add(values: Values): void {
    const text = encoder.encode(JSON.stringify(values));
    if (this.#used + text.length > this.#chunk.length) {
      this.#chunk = new Uint8Array(Math.max(CHUNK_BYTES, text.length));
      this.#used = 0;
    }
    this.#chunk.set(text, this.#used);
    const end = this.#used + text.length;
    this.#places.push({ chunk: this.#chunk, start: this.#used, end, key: keyOf(values) });
    this.#used = end;
    this.#bytes += text.length;
  }

  /** Yields all rows in sort order and forgets them. */
  *take(): Generator<Values> {
    const places = this.#places.sort(({ key: left }, { key: right }) => (left < right ? -1 : 1));
    this.#places = [];
    this.#chunk = new Uint8Array(0);
    this.#used = 0;
    this.#bytes = 0;
    for (const { chunk, start, end } of places) yield JSON.parse(decoder.decode(chunk.subarray(start, end)));
  }
}

/**
 * The sort key of a row: its UTF-8 bytes as characters, since Parquet and Iceberg order strings by these and JavaScript
 * by UTF-16 units. No value contains U+0000, which sorts first, and null sorts before any value.
 */
function keyOf(values: Values): string {
  return Buffer.from(SORTED_BY.map((column) => values[column] ?? '').join('\0')).toString('latin1');
}
