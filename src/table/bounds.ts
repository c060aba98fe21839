/** Statistics of the columns by which readers skip files (Iceberg table spec, Data Files, Appendix D). Pure. */

import type { DataFile, OfColumn } from '../storage/iceberg/manifest.ts';
import { ICEBERG_FIELDS, idOf, PART_COLUMN } from '../storage/iceberg/schema.ts';
import { compareTexts } from './compare-texts.ts';
import type { Values } from './packed-rows.ts';

/** Length of a string bound, in code points; other writers of Iceberg truncate to the same length. */
const TEXT_LENGTH = 16;

const COLUMNS = ['event_id', 'received_at', 'property_id', 'reservation_id', PART_COLUMN].map((name) => {
  const at = ICEBERG_FIELDS.findIndex((field) => field.name === name);
  return { id: idOf(name), at, type: ICEBERG_FIELDS[at]?.type };
});

/** Collects the bounds of rows. */
export class Bounds {
  readonly #columns = COLUMNS.map((column) => ({
    ...column,
    nulls: 0,
    lowest: undefined as string | number | undefined,
    highest: undefined as string | number | undefined,
  }));

  add(values: Values): void {
    for (const column of this.#columns) {
      const value = values[column.at];
      if (typeof value !== 'string' && typeof value !== 'number') column.nulls += 1;
      else {
        if (column.lowest === undefined || compare(value, column.lowest) < 0) column.lowest = value;
        if (column.highest === undefined || compare(value, column.highest) > 0) column.highest = value;
      }
    }
  }

  /** The statistics of the rows added so far. */
  taken(): Pick<DataFile, 'null_value_counts' | 'lower_bounds' | 'upper_bounds'> {
    const lower_bounds: OfColumn<Uint8Array>[] = [];
    const upper_bounds: OfColumn<Uint8Array>[] = [];
    for (const { id, type, lowest, highest } of this.#columns) {
      if (lowest === undefined || highest === undefined) continue;
      lower_bounds.push({ key: id, value: type === 'string' ? lowerBound(String(lowest)) : long(type, lowest) });
      const upper = type === 'string' ? upperBound(String(highest)) : long(type, highest);
      if (upper !== undefined) upper_bounds.push({ key: id, value: upper });
    }
    return {
      null_value_counts: this.#columns.map(({ id, nulls }) => ({ key: id, value: nulls })),
      lower_bounds,
      upper_bounds,
    };
  }
}

/** The bounds of a numeric column, from the statistics of a data file. */
export function longBounds({ lower_bounds, upper_bounds }: DataFile, name: string): readonly [number, number] {
  const id = idOf(name);
  return [readLong(lower_bounds, id), readLong(upper_bounds, id)];
}

function readLong(bounds: readonly OfColumn<Uint8Array>[], id: number): number {
  const bytes = bounds.find(({ key }) => key === id)?.value;
  if (bytes === undefined) throw new Error(`Cannot read a manifest: it has no bounds of column ${id}`);
  return Number(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getBigInt64(0, true));
}

/** Timestamps are compared as strings, since all have the same format. */
function compare(left: string | number, right: string | number): number {
  return typeof left === 'number' ? left - Number(right) : compareTexts(left, String(right));
}

function long(type: unknown, value: string | number): Uint8Array {
  const bytes = new Uint8Array(8);
  const number = type === 'timestamptz' ? BigInt(Date.parse(String(value))) * 1_000n : BigInt(value);
  new DataView(bytes.buffer).setBigInt64(0, number, true);
  return bytes;
}

function lowerBound(text: string): Uint8Array {
  return new TextEncoder().encode(prefixOf(text).join(''));
}

/** A truncated string sorts before the original, so its last code point is incremented. Undefined when none can be. */
function upperBound(text: string): Uint8Array | undefined {
  const prefix = prefixOf(text);
  if (prefix.join('') === text) return new TextEncoder().encode(text);
  for (let last = prefix.pop(); last !== undefined; last = prefix.pop()) {
    const next = (last.codePointAt(0) ?? 0) + 1;
    // Well-formed text has no surrogate code points.
    const raised = next === 0xd800 ? 0xe000 : next;
    if (raised <= 0x10ffff) return new TextEncoder().encode(prefix.join('') + String.fromCodePoint(raised));
  }
  return undefined;
}

/** The first code points. Each takes one or two UTF-16 code units. */
function prefixOf(text: string): string[] {
  return Array.from(text.slice(0, 2 * TEXT_LENGTH)).slice(0, TEXT_LENGTH);
}
