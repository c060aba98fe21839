/** Statistics of the columns by which readers skip files (Iceberg table spec, Data Files, Appendix D). Pure. */

import { Buffer } from 'node:buffer';
import type { RowGroup } from 'hyparquet';
import type { DataFile, OfColumn } from '../storage/iceberg/manifest.ts';
import { idOf, PART_COLUMN } from '../storage/iceberg/schema.ts';

/** Length of a string bound, in code points; other writers of Iceberg truncate to the same length. */
const TEXT_LENGTH = 16;

const COLUMNS = ['event_id', 'received_at', 'property_id', 'reservation_id', PART_COLUMN];

/** The statistics of a file, from those of its row groups. */
export function boundsOf(
  groups: readonly RowGroup[],
): Pick<DataFile, 'null_value_counts' | 'lower_bounds' | 'upper_bounds'> {
  const null_value_counts: OfColumn<number>[] = [];
  const lower_bounds: OfColumn<Uint8Array>[] = [];
  const upper_bounds: OfColumn<Uint8Array>[] = [];
  for (const name of COLUMNS) {
    const key = idOf(name);
    const all = groups.flatMap(({ columns }) => {
      const column = columns.find(({ meta_data }) => meta_data?.path_in_schema[0] === name);
      return column?.meta_data?.statistics ?? [];
    });
    null_value_counts.push({ key, value: all.reduce((sum, { null_count }) => sum + Number(null_count), 0) });
    const [lowest] = all
      .map(({ min_value }) => min_value)
      .filter(isBound)
      .sort(compare);
    const highest = all
      .map(({ max_value }) => max_value)
      .filter(isBound)
      .sort(compare)
      .at(-1);
    if (lowest === undefined || highest === undefined) continue;
    lower_bounds.push({ key, value: typeof lowest === 'string' ? encode(prefixOf(lowest).join('')) : long(lowest) });
    const upper = typeof highest === 'string' ? upperBound(highest) : long(highest);
    if (upper !== undefined) upper_bounds.push({ key, value: upper });
  }
  return { null_value_counts, lower_bounds, upper_bounds };
}

/** Whether a value is one of those that the columns hold. A column without values in a row group has no bounds there. */
function isBound(value: unknown): value is string | bigint {
  return typeof value === 'string' || typeof value === 'bigint';
}

/** Strings are ordered by their UTF-8 bytes. */
function compare(left: string | bigint, right: string | bigint): number {
  return typeof left === 'bigint' ? Number(left - BigInt(right)) : Buffer.compare(encode(left), encode(String(right)));
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

function long(value: bigint): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigInt64(0, value, true);
  return bytes;
}

/** A truncated string sorts before the original, so its last code point is incremented. Undefined when none can be. */
function upperBound(text: string): Uint8Array | undefined {
  const prefix = prefixOf(text);
  if (prefix.join('') === text) return encode(text);
  for (let last = prefix.pop(); last !== undefined; last = prefix.pop()) {
    const next = (last.codePointAt(0) ?? 0) + 1;
    // Well-formed text has no surrogate code points.
    const raised = next === 0xd800 ? 0xe000 : next;
    if (raised <= 0x10ffff) return encode(prefix.join('') + String.fromCodePoint(raised));
  }
  return undefined;
}

/** The first code points. Each takes one or two UTF-16 code units. */
function prefixOf(text: string): string[] {
  return Array.from(text.slice(0, 2 * TEXT_LENGTH)).slice(0, TEXT_LENGTH);
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
