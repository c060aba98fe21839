/** The table as it lies in the bucket, read in another way than it is written; and what is wrong with it. */

import { env } from 'cloudflare:workers';
import { gunzipSync } from 'node:zlib';
import { parquetReadObjects } from 'hyparquet';
import { type DataFile, readManifest, readManifestList, STATUS } from '../../src/storage/iceberg/manifest.ts';
import { readTable, type Snapshot, tableVersionIn } from '../../src/storage/iceberg/table.ts';
import type { LogEntry } from '../../src/storage/log-entry.ts';
import { linesOfPart, readLog } from '../publish/landing.ts';

/** What is compared of a row. */
export interface SeenRow {
  readonly event_id: string;
  readonly last_name: string | null;
  readonly part: number;
}

const PREFIX = 's3://reservation-events/';

async function read(address: string): Promise<ArrayBuffer> {
  const object = await env.BUCKET.get(address.slice(PREFIX.length));
  if (object === null) throw new Error(`${address} is not there`);
  return object.arrayBuffer();
}

/** The addresses of all objects of a snapshot, and its data files. */
async function readSnapshot(snapshot: Snapshot) {
  const manifests = readManifestList(new Uint8Array(await read(snapshot['manifest-list'])));
  const files: DataFile[] = [];
  for (const { manifest_path } of manifests) {
    const entries = readManifest(new Uint8Array(await read(manifest_path)));
    files.push(...entries.filter(({ status }) => status !== STATUS.deleted).map(({ data_file }) => data_file));
  }
  const paths = files.map(({ file_path }) => file_path);
  return { files, addresses: [snapshot['manifest-list'], ...manifests.map((one) => one.manifest_path), ...paths] };
}

/** All snapshots, the current one last. */
export async function snapshots(): Promise<Snapshot[]> {
  return (await readTable(env.BUCKET))?.metadata.snapshots ?? [];
}

/** The data files of a snapshot, of the current one if none is named. */
export async function filesOf(snapshot?: Snapshot): Promise<DataFile[]> {
  const one = snapshot ?? (await snapshots()).at(-1);
  return one === undefined ? [] : (await readSnapshot(one)).files;
}

/** The rows of a snapshot. */
export async function rowsOf(snapshot?: Snapshot): Promise<SeenRow[]> {
  const rows: SeenRow[] = [];
  for (const { file_path, record_count } of await filesOf(snapshot)) {
    const found = await parquetReadObjects({
      file: await read(file_path),
      columns: ['event_id', 'last_name', 'part'],
      compressors: { GZIP: (bytes) => gunzipSync(bytes) },
    });
    if (found.length !== record_count) throw new Error(`${file_path} has ${found.length} rows, not ${record_count}`);
    rows.push(...found.map(({ event_id, last_name, part }) => ({ event_id, last_name, part: Number(part) })));
  }
  return rows.sort((left, right) => (left.event_id < right.event_id ? -1 : 1));
}

/** The rows that the parts have which stand now. */
export async function publishedRows(): Promise<SeenRow[]> {
  const log = await readLog();
  const gone = new Set(log.map(({ replaces }) => replaces));
  const rows: SeenRow[] = [];
  for (const { key, sequence } of log.filter((entry) => !gone.has(entry.key))) {
    for (const line of await linesOfPart(key)) {
      const { event_id, last_name } = JSON.parse(line);
      rows.push({ event_id, last_name, part: sequence });
    }
  }
  return rows.sort((left, right) => (left.event_id < right.event_id ? -1 : 1));
}

/**
 * What is wrong with the table at any moment: a snapshot names what is not there; an event of a part that it follows is
 * missing, or there twice; or it has rows of a part that was replaced by then.
 *
 * @param idsOf - The events of the parts that were not published in place of others, by sequence.
 */
export async function faultsOfTable(idsOf: ReadonlyMap<number, readonly string[]>): Promise<string[]> {
  const faults: string[] = [];
  const log = await readLog();
  const replacedBy = new Map(log.map((entry) => [entry.replaces, entry]));
  const replacement = (sequence: number) =>
    replacedBy.get(log.find((entry) => entry.sequence === sequence)?.key ?? '')?.sequence ?? Number.POSITIVE_INFINITY;
  for (const snapshot of await snapshots()) {
    const through = Number(snapshot.summary['log-sequence']);
    const rows = await rowsOf(snapshot).catch((error: Error) => error);
    if (rows instanceof Error) {
      faults.push(rows.message);
      continue;
    }
    const wanted = [...idsOf].filter(([sequence]) => sequence <= through).flatMap(([, ids]) => ids);
    const found = rows.map(({ event_id }) => event_id);
    if (JSON.stringify(found) !== JSON.stringify(wanted.sort())) faults.push(`${through}: ${found} for ${wanted}`);
    const stale = rows.filter(({ part }) => replacement(part) <= through);
    if (stale.length > 0) faults.push(`${through}: replaced rows ${JSON.stringify(stale)}`);
    if (Number(snapshot.summary['total-records']) !== rows.length) faults.push(`${through}: summary is untrue`);
  }
  return faults;
}

/** Objects of the table that no snapshot names, former versions of its metadata left aside. */
export async function unnamedObjects(): Promise<string[]> {
  const named = new Set<string>();
  for (const snapshot of await snapshots()) {
    for (const address of (await readSnapshot(snapshot)).addresses) named.add(address.slice(PREFIX.length));
  }
  const { objects } = await env.BUCKET.list({ prefix: 'iceberg/events/' });
  return objects
    .map(({ key }) => key)
    .filter((key) => !named.has(key) && tableVersionIn(key) === undefined && !key.endsWith('version-hint.text'));
}

/** The events of the parts of a log that take the place of no other. */
export async function idsByPart(entries: readonly LogEntry[]): Promise<Map<number, string[]>> {
  const ids = new Map<number, string[]>();
  for (const { key, sequence } of entries.filter(({ replaces }) => replaces === null)) {
    ids.set(
      sequence,
      (await linesOfPart(key)).map((line) => JSON.parse(line).event_id),
    );
  }
  return ids;
}
