/** The rows of the table as independent readers see them, and those of `events/`, all in one form. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { DuckDBInstance } from '@duckdb/node-api';
import { AwsClient } from 'aws4fetch';
import { icebergManifests, icebergRead } from 'icebird';
import type { StoreLocation } from '../../src/cli/object-store/request.ts';
import { createObjectStore, type ObjectStore } from '../../src/cli/object-store.ts';
import {
  parseTable,
  TABLE_METADATA,
  type TableMetadata,
  tableVersionIn,
  tableVersionKey,
} from '../../src/storage/iceberg/table.ts';

/** A row with the sequence of its part; times with milliseconds, as in a line. */
export type TableRow = Readonly<Record<string, unknown>>;

/** The rows of `events/` as its log has them: none of a part that was replaced. */
export async function publishedRows(store: ObjectStore): Promise<TableRow[]> {
  const parts = new Map<string, number>();
  for await (const { key } of store.list('events/v1/_log/')) {
    const entry = JSON.parse(Buffer.from((await store.get(key)) ?? []).toString());
    parts.delete(entry.replaces);
    parts.set(entry.key, entry.sequence);
  }
  const rows: TableRow[] = [];
  for (const [key, part] of parts) {
    const lines = gunzipSync((await store.get(key)) ?? new Uint8Array()).toString();
    for (const line of lines.trimEnd().split('\n')) rows.push({ ...JSON.parse(line), part });
  }
  return byEventId(rows);
}

/** The metadata of the newest version. */
async function currentMetadata(store: ObjectStore): Promise<TableMetadata> {
  const listed = await Array.fromAsync(store.list(TABLE_METADATA));
  const version = Math.max(...listed.map(({ key }) => tableVersionIn(key) ?? 0));
  return parseTable(version, Buffer.from((await store.get(tableVersionKey(version))) ?? []).toString()).metadata;
}

/** What icebird reads. */
export async function readWithIcebird(location: StoreLocation): Promise<TableRow[]> {
  return throughS3(location, async () => {
    const metadata = await currentMetadata(createObjectStore(location));
    const rows = await icebergRead({ tableUrl: metadata.location, metadata: metadata as never });
    return byEventId(
      rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, asStored(name, value)]))),
    );
  });
}

/** What DuckDB's reader of Parquet reads of the files that the current snapshot names, by columns of the same name. */
export async function readWithDuckDb(location: StoreLocation): Promise<TableRow[]> {
  const folder = await mkdtemp(join(tmpdir(), 'data-files-'));
  const duckdb = await (await DuckDBInstance.create()).connect();
  try {
    const files = await downloadCurrent(location, folder);
    await duckdb.run("SET TimeZone = 'UTC'");
    const from = `read_parquet(['${files.join("', '")}'], union_by_name = true)`;
    const described = await duckdb.runAndReadAll(`DESCRIBE SELECT * FROM ${from}`);
    const columns = described
      .getRows()
      .map(([name, type]) =>
        type === 'TIMESTAMP WITH TIME ZONE' ? `strftime(${name}, '%Y-%m-%dT%H:%M:%S.%gZ') AS ${name}` : name,
      );
    const read = await duckdb.runAndReadAll(`SELECT ${columns} FROM ${from}`);
    return byEventId(read.getRowObjectsJson().map((row) => ({ ...row, part: Number(row.part) })));
  } finally {
    duckdb.closeSync();
    await rm(folder, { recursive: true });
  }
}

/** Downloads the files that the current snapshot names, and returns their paths. */
export async function downloadCurrent(location: StoreLocation, folder: string): Promise<string[]> {
  const store = createObjectStore(location);
  const metadata = await currentMetadata(store);
  const manifests = await throughS3(location, () => icebergManifests(metadata as never));
  const live = manifests.flatMap(({ entries }) => entries).filter(({ status }) => status !== 2);
  return Promise.all(
    live.map(async ({ data_file }, at) => {
      const path = join(folder, `${at}.parquet`);
      await writeFile(path, (await store.get(data_file.file_path.replace(metadata.location, 'iceberg/events'))) ?? '');
      return path;
    }),
  );
}

/** Lets icebird reach the bucket: it asks for s3:// addresses at the endpoint of Amazon. */
async function throughS3<T>(location: StoreLocation, use: () => Promise<T>): Promise<T> {
  const { url, accessKeyId, secretAccessKey } = location;
  const s3 = new AwsClient({ accessKeyId, secretAccessKey, service: 's3', region: 'auto' });
  const direct = globalThis.fetch;
  globalThis.fetch = async (address, init) =>
    typeof address === 'string' && address.includes('.s3.amazonaws.com')
      ? direct(await s3.sign(address.replace('https://reservation-events.s3.amazonaws.com', url), init))
      : direct(address, init);
  try {
    return await use();
  } finally {
    globalThis.fetch = direct;
  }
}

function asStored(name: string, value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof Date) return name === 'birth_date' ? value.toISOString().slice(0, 10) : value.toISOString();
  return value ?? null;
}

function byEventId(rows: readonly TableRow[]): TableRow[] {
  return rows.toSorted((left, right) => (String(left.event_id) < String(right.event_id) ? -1 : 1));
}
