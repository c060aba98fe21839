/** Building data files from parts of one day. */

import { COLUMNS } from '../contract/row.ts';
import { readLive } from '../storage/find-live.ts';
import type { DataFile } from '../storage/iceberg/manifest.ts';
import { addressOf } from '../storage/iceberg/table.ts';
import { DAY_MS } from '../storage/keys.ts';
import { parseRow } from '../storage/line.ts';
import { linesOfBlock } from '../storage/line-bytes.ts';
import { unpackedLines } from '../storage/unpacked-lines.ts';
import { writeRows } from './data-file.ts';
import { dataFileKey, type Fullness } from './data-file-key.ts';
import { PackedRows } from './packed-rows.ts';
import { rangesOf, writeRanges } from './sequence-ranges.ts';
import { type Attempt, createOwn } from './tools.ts';

/** A part as the log names it, with its sequence. */
export interface SourcePart {
  readonly sequence: number;
  readonly key: string;
}

/** Expected bytes of text for each byte of a part. */
const UNPACKED = 6;

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });

/**
 * Reads parts, or what has replaced them, and creates data files of their rows.
 *
 * @param day - The day of all rows, `YYYY-MM-DD`.
 * @throws When a part is missing and no other has replaced it; no snapshot references the files created by then.
 */
export async function buildFiles(attempt: Attempt, day: string, sources: readonly SourcePart[]): Promise<DataFile[]> {
  const { bucket, guests, limits } = attempt;
  const files: DataFile[] = [];
  const rows = new PackedRows();
  let sequences: number[] = [];

  async function flush(fullness: Fullness): Promise<void> {
    if (rows.length === 0) return;
    files.push(await createFile(attempt, day, fullness, rows, sequences));
    sequences = [];
  }

  for (const { sequence, key } of sources.toSorted((left, right) => left.sequence - right.sequence)) {
    const part = await readLive(bucket, key);
    if (part === undefined) {
      throw new Error(
        `Cannot write the table: ${key} is missing and the log names none in its place; see what "events -- verify" says`,
      );
    }
    const isLarge = rows.bytes + part.size * UNPACKED > limits.fileBytes;
    if (isLarge || rangesOf([...sequences, sequence]).length > limits.fileRanges) await flush('full');
    sequences.push(sequence);
    let isSplit = false;
    for await (const block of unpackedLines(part.body)) {
      for (const line of linesOfBlock(block)) {
        if (rows.bytes > limits.fileBytes) {
          isSplit = true;
          await flush('split');
          sequences.push(sequence);
        }
        const row = guests.show(parseRow(decoder.decode(line)));
        rows.add([...COLUMNS.map((name) => row[name] ?? null), sequence]);
      }
    }
    // The rest of a split part shares its file with no other part, so that split parts stay separate.
    if (isSplit) await flush('split');
  }
  await flush('open');
  return files;
}

async function createFile(
  attempt: Attempt,
  day: string,
  fullness: Fullness,
  packed: PackedRows,
  sequences: readonly number[],
): Promise<DataFile> {
  const { guests, limits } = attempt;
  const { body, rows, bounds } = writeRows(packed.take(), limits.groupRows);
  const key = dataFileKey({ attempt: attempt.id, number: attempt.next(), day, guests: guests.mark, fullness });
  await createOwn(attempt, key, body, {
    // R2 refuses the object when the received bytes have another digest, and shows the digest to whoever checks the
    // table.
    sha256: await crypto.subtle.digest('SHA-256', body),
    httpMetadata: { contentType: 'application/vnd.apache.parquet' },
    customMetadata: { rows: String(rows), parts: writeRanges(sequences) },
  });
  return {
    content: 0,
    file_path: addressOf(attempt, key),
    file_format: 'PARQUET',
    partition: { received_at_day: Date.parse(day) / DAY_MS },
    record_count: rows,
    file_size_in_bytes: body.byteLength,
    ...bounds,
    sort_order_id: 1,
  };
}
