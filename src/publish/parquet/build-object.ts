/** Parts to one columnar object. */

import { linesOf } from '../../storage/line-bytes.ts';
import type { Bucket } from '../bucket.ts';
import { unpackedLines } from '../unpacked-lines.ts';
import { PARQUET_COLUMNS } from './columns.ts';
import type { Guests } from './guests.ts';
import { openParquet } from './write-file.ts';

/** An object that can be written, and what its log entry says of it. */
export interface BuiltObject {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly rows: number;
  readonly first_event_id: string;
  readonly last_event_id: string;
  readonly first_received_at: string;
  readonly last_received_at: string;
  readonly schema_versions: number[];
}

/** What is read of a row here; the columns read the rest. */
interface PublishedRow extends Readonly<Record<string, unknown>> {
  readonly event_id: string;
  readonly received_at: string;
  readonly schema_version: number;
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });

/**
 * Reads parts and writes their rows as Parquet. The same parts give the same rows.
 *
 * @returns Undefined when one of the parts is no longer there.
 */
export async function buildObject(
  bucket: Pick<Bucket, 'get'>,
  parts: readonly string[],
  groupRows: number,
  guests: Pick<Guests, 'show'>,
): Promise<BuiltObject | undefined> {
  const file = await openParquet(PARQUET_COLUMNS, groupRows);
  const versions = new Set<number>();
  let first: PublishedRow | undefined;
  let last: PublishedRow | undefined;
  for (const key of parts) {
    const part = await bucket.get(key);
    if (part === null) return undefined;
    for await (const block of unpackedLines(part.body)) {
      for (const line of linesOf(block)) {
        const row = JSON.parse(decoder.decode(line)) as PublishedRow;
        file.add(guests.show(row));
        versions.add(row.schema_version);
        if (first === undefined || row.event_id < first.event_id) first = row;
        if (last === undefined || row.event_id > last.event_id) last = row;
      }
    }
  }
  if (first === undefined || last === undefined) {
    throw new Error(`Cannot write rows of ${parts.join(', ')}: there are none; see what "events -- verify" says`);
  }
  return {
    body: file.finish(),
    rows: file.rows,
    first_event_id: first.event_id,
    last_event_id: last.event_id,
    first_received_at: first.received_at,
    last_received_at: last.received_at,
    schema_versions: [...versions].sort((left, right) => left - right),
  };
}
