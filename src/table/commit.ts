/** The table as opened by a run, and its commits: manifests, a manifest list and the next version, or none of them. */

import type { Bucket } from '../storage/bucket.ts';
import type { Clock } from '../storage/clock.ts';
import { type DataFile, writeManifestList } from '../storage/iceberg/manifest.ts';
import { SCHEMA_ID } from '../storage/iceberg/schema.ts';
import { createManifestReader, type ManifestReader } from '../storage/iceberg/snapshot.ts';
import {
  addressOf,
  currentSnapshot,
  logSequenceOf,
  type Snapshot,
  type Table,
  VERSION_HINT_KEY,
} from '../storage/iceberg/table.ts';
import { swapState } from '../storage/state.ts';
import type { Catalog } from './catalog.ts';
import type { Change } from './change.ts';
import { manifestsWith } from './change-manifests.ts';
import { newTable, nextMetadata, timeAfter } from './metadata.ts';
import { summaryOf } from './summary.ts';
import { type Attempt, beginAttempt, createMetadata, type TableTools } from './tools.ts';

/** Opens the table, and creates it when there is none. */
export async function openTable(tools: TableTools, catalog: Catalog): Promise<OpenTable> {
  const table = (await catalog.read()) ?? (await createTable(tools, catalog));
  return new OpenTable({ ...tools, location: table.metadata.location }, catalog, table);
}

async function createTable({ location, guests, clock }: TableTools, catalog: Catalog): Promise<Table> {
  const created = await catalog.commit(1, newTable(location, guests.mark, clock.now()));
  const table = created ?? (await catalog.read());
  if (table === undefined) throw new Error('Cannot create the table: another run has, and it is not there');
  return table;
}

export class OpenTable {
  readonly #tools: TableTools;
  readonly #catalog: Catalog;
  readonly #manifests: ManifestReader;
  #current: Table;
  #commits = 0;

  constructor(tools: TableTools, catalog: Catalog, current: Table) {
    this.#tools = tools;
    this.#catalog = catalog;
    this.#manifests = createManifestReader(tools);
    this.#current = current;
  }

  /** The version that the run has reached. */
  get current(): Table {
    return this.#current;
  }

  get commits(): number {
    return this.#commits;
  }

  get snapshot(): Snapshot | undefined {
    return currentSnapshot(this.#current);
  }

  /** The last sequence of the log that the table reflects. */
  get through(): number {
    return logSequenceOf(this.snapshot);
  }

  /** Up to when its rows are complete, `YYYY-MM-DDTHH:MM:SS.sssZ`; undefined when unknown. */
  get completeThrough(): string | undefined {
    return this.snapshot?.summary['complete-through'];
  }

  /**
   * The data files.
   *
   * @param day - Days since 1970; all days by default.
   */
  files(day?: number): Promise<DataFile[]> {
    return this.#manifests.files(this.snapshot, day);
  }

  begin(): Attempt {
    return beginAttempt(this.#tools, this.#manifests);
  }

  /**
   * Commits a change of the current version.
   *
   * @returns Whether it was committed; false when another version came first.
   */
  async commit(attempt: Attempt, change: Change): Promise<boolean> {
    return this.#commitNext(await createSnapshot(attempt, this.#current, change), {});
  }

  /** Commits a version with the same rows, without expired snapshots. Returns as {@link commit} does. */
  commitMetadata(properties: Readonly<Record<string, string>>): Promise<boolean> {
    return this.#commitNext(undefined, properties);
  }

  async #commitNext(snapshot: Snapshot | undefined, properties: Readonly<Record<string, string>>): Promise<boolean> {
    const { clock, limits } = this.#tools;
    const metadata = nextMetadata(this.#current, { snapshot, properties }, clock.now(), limits);
    const committed = await this.#catalog.commit(this.#current.version + 1, metadata);
    if (committed === undefined) return false;
    this.#current = committed;
    this.#commits += 1;
    return true;
  }
}

/** Updates the version hint for readers that cannot list, unless another run updates it at the same time. */
export async function writeVersionHint(
  bucket: Pick<Bucket, 'head' | 'put'>,
  { version }: Table,
  clock: Clock,
): Promise<void> {
  const hint = await bucket.head(VERSION_HINT_KEY);
  const before = { etag: hint?.etag, writtenAt: hint?.uploaded.getTime() ?? 0 };
  await swapState(bucket, VERSION_HINT_KEY, version, before, clock);
}

async function createSnapshot(attempt: Attempt, table: Table, change: Change): Promise<Snapshot> {
  const parent = currentSnapshot(table);
  const id = newSnapshotId();
  const sequenceNumber = table.metadata['last-sequence-number'] + 1;
  const manifests = await manifestsWith(attempt, parent, change, id, sequenceNumber);
  const parentId = parent?.['snapshot-id'];
  const list = writeManifestList(manifests, { id, parent: parentId, sequenceNumber });
  const key = await createMetadata(attempt, 'snapshot', list);
  return {
    'snapshot-id': id,
    ...(parentId !== undefined && { 'parent-snapshot-id': parentId }),
    'sequence-number': sequenceNumber,
    'timestamp-ms': timeAfter(table.metadata, attempt.clock.now()),
    'manifest-list': addressOf(attempt, key),
    'schema-id': SCHEMA_ID,
    summary: summaryOf(parent, change),
  };
}

/** Below 2^52: the format allows any long, and JavaScript and its JSON represent these exactly. */
function newSnapshotId(): number {
  const [high = 0, low = 0] = crypto.getRandomValues(new Uint32Array(2));
  return (high % 2 ** 20) * 2 ** 32 + low;
}
