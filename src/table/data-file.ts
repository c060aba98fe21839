/** One data file: sorted rows as Parquet, row group by row group. */

import { gzipSync } from 'node:zlib';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { boundsOf } from './bounds.ts';
import type { Values } from './packed-rows.ts';
import { PARQUET_COLUMNS, type SchemaElement } from './parquet-columns.ts';

/**
 * gzip, which every reader of Parquet knows and zlib does natively. zstd would read twice as fast, but the
 * zstdCompressSync of workerd fails where more than 64 KiB come out ("Unexpected end of file"), whatever its chunkSize.
 */
const CODEC = 'GZIP';
const GZIP_LEVEL = 4;

/**
 * Not compressed: half of an `event_id` is random, so compression gains little, and queries for the latest event read
 * the whole column.
 */
const UNCOMPRESSED: ReadonlySet<string> = new Set(['event_id']);

/** A file ready to be stored. */
export interface WrittenRows {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly rows: number;
  readonly bounds: ReturnType<typeof boundsOf>;
}

/**
 * Encodes rows.
 *
 * @param groupRows - Rows per row group, which are held as values until it is encoded.
 */
export function writeRows(rows: Iterable<Values>, groupRows: number): WrittenRows {
  const writer = new ByteWriter();
  const root: SchemaElement = { name: 'reservation_event', num_children: PARQUET_COLUMNS.length };
  const parquet = new ParquetWriter({
    writer,
    schema: [root, ...PARQUET_COLUMNS.flatMap(({ elements }) => elements)],
    codec: CODEC,
    compressors: { [CODEC]: (bytes) => gzipSync(bytes, { level: GZIP_LEVEL }) },
    createdBy: 'reservation-event-intake',
  });
  let count = 0;
  let group: Values[] = [];

  function closeGroup(): void {
    if (group.length === 0) return;
    parquet.write({
      columnData: PARQUET_COLUMNS.map(({ name, convert }, at) => ({
        name,
        ...(UNCOMPRESSED.has(name) && { codec: 'UNCOMPRESSED' as const }),
        data: group.map((values) => {
          const value = values[at];
          return value === null || value === undefined ? null : convert(value);
        }),
      })),
      rowGroupSize: groupRows,
    });
    group = [];
  }

  for (const values of rows) {
    group.push(values);
    count += 1;
    if (group.length === groupRows) closeGroup();
  }
  closeGroup();
  parquet.finish();
  return { body: new Uint8Array(writer.getBuffer()), rows: count, bounds: boundsOf(parquet.row_groups) };
}
