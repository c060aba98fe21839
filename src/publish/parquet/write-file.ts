/** One Parquet file, gathered in memory row group by row group. */

import { gzipSync } from 'node:zlib';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { ParquetColumn, SchemaElement } from './columns.ts';

/** A file in the making. */
export interface ParquetFile {
  readonly rows: number;
  /** The bytes of the row groups that are closed. */
  readonly bytes: number;
  add(row: Readonly<Record<string, unknown>>): void;
  /** Closes the last row group and writes the footer. */
  finish(): Uint8Array<ArrayBuffer>;
}

/** The columns by which the rows of a group are sorted, so that one hotel and one stay lie together. */
const SORTED_BY = ['property_id', 'reservation_id', 'event_id'] as const;

/**
 * gzip, which every reader of Parquet knows and zlib does natively. zstd would read twice as fast, but the
 * zstdCompressSync of workerd fails where more than 64 KiB come out ("Unexpected end of file"), whatever its chunkSize.
 */
const CODEC = 'GZIP';
const GZIP_LEVEL = 4;

/**
 * Left as it is: half of an `event_id` is random, so compression gains little, and whatever asks which event is the latest
 * reads this column whole.
 */
const UNCOMPRESSED: ReadonlySet<string> = new Set(['event_id']);

/**
 * Starts a file.
 *
 * @param groupRows - Rows in a row group: what is held in memory as values before it becomes bytes.
 */
export async function openParquet(columns: readonly ParquetColumn[], groupRows: number): Promise<ParquetFile> {
  const writer = new ByteWriter();
  const root: SchemaElement = { name: 'reservation_event', num_children: columns.length };
  const parquet = new ParquetWriter({
    writer,
    schema: [root, ...columns.flatMap(({ elements }) => elements)],
    codec: CODEC,
    compressors: { [CODEC]: (bytes) => gzipSync(bytes, { level: GZIP_LEVEL }) },
    createdBy: 'reservation-event-intake',
  });
  let rows = 0;
  let group: Readonly<Record<string, unknown>>[] = [];

  function closeGroup(): void {
    if (group.length === 0) return;
    group.sort(inOrder);
    parquet.write({
      columnData: columns.map(({ name, convert }) => ({
        name,
        ...(UNCOMPRESSED.has(name) && { codec: 'UNCOMPRESSED' as const }),
        data: group.map((row) => {
          const value = row[name];
          return value === null || value === undefined ? null : convert(value);
        }),
      })),
      rowGroupSize: groupRows,
    });
    group = [];
  }

  return {
    get rows() {
      return rows;
    },
    get bytes() {
      return writer.offset;
    },
    add(row) {
      group.push(row);
      rows += 1;
      if (group.length === groupRows) closeGroup();
    },
    finish() {
      closeGroup();
      parquet.finish();
      return new Uint8Array(writer.getBuffer());
    },
  };
}

function inOrder(left: Readonly<Record<string, unknown>>, right: Readonly<Record<string, unknown>>): number {
  for (const column of SORTED_BY) {
    const [a, b] = [String(left[column] ?? ''), String(right[column] ?? '')];
    if (a !== b) return a < b ? -1 : 1;
  }
  return 0;
}
