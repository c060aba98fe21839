/** The table as opened by a run, and its commits: manifests, a manifest list and the next version, or none of them. */

import { type DataFile, writeManifestList } from '../storage/iceberg/manifest.ts';
import { SCHEMA_ID } from '../storage/iceberg/schema.ts';
import { createManifestReader, type ManifestReader } from '../storage/iceberg/snapshot.ts';
import { addressOf, currentSnapshot, logSequenceOf, type Snapshot, type Table } from '../storage/iceberg/table.ts';
import type { Catalog } from './catalog.ts';
import type { Change } from './change.ts';
import { manifestsWith } from './change-manifests.ts';
import { nextMetadata, timeAfter } from './metadata.ts';
import { summaryOf } from './summary.ts';
import { type Attempt, beginAttempt, createMetadata, type Tools } from './tools.ts';

/** How often a change is tried when other commits come first. */
const TRIES = 5;

export class OpenTable {
  readonly #tools: Tools;
  readonly #catalog: Catalog;
  readonly #manifests: ManifestReader;
  #current: Table;
  #commits = 0;

  constructor(tools: Tools, catalog: Catalog, current: Table) {
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
   * Changes the table. When another version was committed first, the change is applied to that one, as long as it is
   * still valid: the files that it removes exist, and the log has been followed no further.
   *
   * @returns Whether it was committed; false when the change is no longer valid.
   */
  async commit(attempt: Attempt, change: Change): Promise<boolean> {
    let table: Table | undefined = this.#current;
    for (let tries = 0; tries < TRIES && table !== undefined; tries++) {
      if (change.log !== undefined && logSequenceOf(currentSnapshot(table)) !== change.log.from) return false;
      const snapshot = await createSnapshot(attempt, table, change);
      if (snapshot === undefined) return false;
      if (await this.#commitAfter(table, snapshot, {})) return true;
      table = await this.#catalog.read();
    }
    return false;
  }

  /**
   * Commits a version with the same rows, without expired snapshots.
   *
   * @returns Whether it was committed; false when another version came first.
   */
  commitMetadata(properties: Readonly<Record<string, string>>): Promise<boolean> {
    return this.#commitAfter(this.#current, undefined, properties);
  }

  async #commitAfter(
    table: Table,
    snapshot: Snapshot | undefined,
    properties: Readonly<Record<string, string>>,
  ): Promise<boolean> {
    const { clock, limits } = this.#tools;
    const metadata = nextMetadata(table, { snapshot, properties }, clock.now(), limits);
    const committed = await this.#catalog.commit(table.version + 1, metadata);
    if (committed === undefined) return false;
    this.#current = committed;
    this.#commits += 1;
    return true;
  }
}

/** Creates the objects of a snapshot. */
async function createSnapshot(attempt: Attempt, table: Table, change: Change): Promise<Snapshot | undefined> {
  const parent = currentSnapshot(table);
  const id = newSnapshotId();
  const sequenceNumber = table.metadata['last-sequence-number'] + 1;
  const manifests = await manifestsWith(attempt, parent, change, id, sequenceNumber);
  if (manifests === undefined) return undefined;
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
