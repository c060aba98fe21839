/** Rows that wait to be sorted and written: as text without the column names, which are half of a line. */

import { ICEBERG_FIELDS } from '../storage/iceberg/schema.ts';
import { compareTexts } from './compare-texts.ts';

/** Size of the chunks that rows are packed into, in bytes. */
const CHUNK_BYTES = 1024 * 1024;

/** The columns by which rows are sorted; null sorts first. */
const SORTED_BY = ['property_id', 'reservation_id', 'event_id'].map((name) =>
  ICEBERG_FIELDS.findIndex((field) => field.name === name),
);

/** The values of a row, in the order of the columns. */
export type Values = readonly unknown[];

interface Place {
  readonly chunk: Uint8Array;
  readonly start: number;
  readonly end: number;
  readonly keys: readonly (string | null)[];
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export class PackedRows {
  #chunk = new Uint8Array(0);
  #used = 0;
  #bytes = 0;
  #places: Place[] = [];
  /** One string per hotel, shared by its rows. */
  #known = new Map<string, string>();

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
    this.#places.push({ chunk: this.#chunk, start: this.#used, end, keys: this.#keysOf(values) });
    this.#used = end;
    this.#bytes += text.length;
  }

  /** Yields all rows in sort order and forgets them. */
  *take(): Generator<Values> {
    const places = this.#places.sort(inOrder);
    this.#places = [];
    this.#chunk = new Uint8Array(0);
    this.#used = 0;
    this.#bytes = 0;
    for (const { chunk, start, end } of places) yield JSON.parse(decoder.decode(chunk.subarray(start, end)));
  }

  #keysOf(values: Values): (string | null)[] {
    return SORTED_BY.map((column, at) => {
      const value = values[column];
      if (typeof value !== 'string') return null;
      if (at > 0) return value;
      const known = this.#known.get(value);
      if (known === undefined) this.#known.set(value, value);
      return known ?? value;
    });
  }
}

function inOrder({ keys: left }: Place, { keys: right }: Place): number {
  for (let at = 0; at < left.length; at++) {
    const [a = null, b = null] = [left[at], right[at]];
    if (a === b) continue;
    if (a === null) return -1;
    if (b === null) return 1;
    return compareTexts(a, b);
  }
  return 0;
}
