/** What must hold of the table, checked at every commit and at every object that is deleted. */

import { readManifest, readManifestList, STATUS } from '../../src/storage/iceberg/manifest.ts';
import {
  keyOf,
  logSequenceOf,
  type Snapshot,
  type TableMetadata,
  tableVersionIn,
} from '../../src/storage/iceberg/table.ts';
import type { ModelBucket, ModelObject } from './model-bucket.ts';
import { rowsIn, textOf } from './stored.ts';
import type { World } from './world.ts';

/** What the account knows of what is published. */
export interface PublishedFacts {
  /** The events of the parts that take the place of no other, up to an entry of the log. */
  eventsThrough(sequence: number): readonly string[];
  /** The sequence of the entry that has replaced the part of another; undefined when none has. */
  replacementOf(sequence: number): number | undefined;
  /** The last entry of the log. */
  readonly lastSequence: number;
  /** Whether an event that the watermark has passed is later than promised. */
  isMissing(completeThrough: number, sequence: number): string | undefined;
  /** What is wrong with a row as the table shows it in the end. */
  wrongRow(row: TableRow, hidden: boolean): string | undefined;
}

/** A row of the table. */
export interface TableRow {
  readonly event_id: string;
  readonly customer_id: string | null;
  readonly warnings: readonly string[];
  readonly part: number;
}

const PREFIX = 'iceberg/events/';
const DATA = `${PREFIX}data/`;

/** The account of the table. */
export class TableLedger {
  readonly #world: World;
  readonly #bucket: ModelBucket;
  readonly #facts: PublishedFacts;
  #version = 0;
  #metadata: TableMetadata | undefined;
  /** What the snapshots name, by their manifest lists, and the data files of each manifest. */
  readonly #named = new Map<string, readonly string[]>();
  readonly #files = new Map<string, readonly string[]>();

  constructor(world: World, bucket: ModelBucket, facts: PublishedFacts) {
    this.#world = world;
    this.#bucket = bucket;
    this.#facts = facts;
  }

  onPut({ key, body }: ModelObject, before: ModelObject | undefined): void {
    if (!key.startsWith(PREFIX)) return;
    if (before !== undefined && !key.endsWith('version-hint.text')) this.#world.violate(`${key} was overwritten`);
    if (key.startsWith(DATA) && !key.includes('-kept-')) {
      const shown = this.#rows(key).find(({ customer_id: guest }) => guest !== null);
      if (shown !== undefined) this.#world.violate(`${key} shows the guest of ${shown.event_id}`);
    }
    const version = tableVersionIn(key);
    if (version === undefined) return;
    if (version !== this.#version + 1) this.#world.violate(`version ${version} of the table follows ${this.#version}`);
    this.#version = version;
    const metadata = JSON.parse(new TextDecoder().decode(body)) as TableMetadata;
    const last = this.#metadata?.snapshots.at(-1);
    this.#metadata = metadata;
    const current = metadata.snapshots.at(-1);
    if (current !== undefined) this.#check(current, last);
  }

  onDelete({ key }: ModelObject): void {
    if (!key.startsWith(PREFIX)) return;
    if (tableVersionIn(key) === this.#version) this.#world.violate(`${key} was deleted, which is the table`);
    if (this.#names().has(key)) this.#world.violate(`${key} was deleted, which a snapshot names`);
  }

  /** What is not as it has to be in the end. */
  incomplete(): string | undefined {
    const current = this.#metadata?.snapshots.at(-1);
    const through = logSequenceOf(current);
    if (through !== this.#facts.lastSequence) return `the table follows the log up to ${through}`;
    const mark = this.#metadata?.properties['guest-columns'] ?? '';
    const names = this.#names();
    for (const { key } of this.#bucket.objects.values()) {
      if (!key.startsWith(PREFIX)) continue;
      const isOther = tableVersionIn(key) !== undefined || key.endsWith('version-hint.text');
      if (!isOther && !names.has(key)) return `${key} is named by no snapshot`;
      if (!key.startsWith(DATA)) continue;
      if (!key.includes(`-${mark}-`)) return `${key} shows guests in another way`;
      for (const row of this.#rows(key)) {
        const wrong = this.#facts.wrongRow(row, mark !== 'kept');
        if (wrong !== undefined) return `${wrong} in ${key}`;
      }
    }
    return undefined;
  }

  #check(snapshot: Snapshot, last: Snapshot | undefined): void {
    const through = logSequenceOf(snapshot);
    if (through < logSequenceOf(last)) this.#world.violate(`the table falls back to entry ${through}`);
    const rows = this.#namedBy(snapshot)
      .filter((key) => key.startsWith(DATA))
      .flatMap((key) => this.#rows(key));
    const found = rows.map(({ event_id }) => event_id).sort();
    const wanted = this.#facts.eventsThrough(through).toSorted();
    const twice = found.find((id, at) => found[at + 1] === id);
    if (twice !== undefined) this.#world.violate(`${twice} is in the table twice`);
    const missing = wanted.find((id) => !found.includes(id));
    if (missing !== undefined) this.#world.violate(`${missing} is not in the table, which follows entry ${through}`);
    if (found.length > wanted.length) this.#world.violate(`the table has ${found.length} rows of ${wanted.length}`);
    for (const { part } of rows) {
      if ((this.#facts.replacementOf(part) ?? Number.POSITIVE_INFINITY) <= through) {
        this.#world.violate(`the table shows part ${part}, which was replaced, and follows entry ${through}`);
      }
    }
    const completeThrough = snapshot.summary['complete-through'];
    if (completeThrough === undefined) return;
    const late = this.#facts.isMissing(Date.parse(completeThrough), through);
    if (late !== undefined) this.#world.violate(`the table says that it is complete without ${late}`);
  }

  #names(): Set<string> {
    return new Set((this.#metadata?.snapshots ?? []).flatMap((snapshot) => this.#namedBy(snapshot)));
  }

  #namedBy(snapshot: Snapshot): readonly string[] {
    const list = this.#keyOf(snapshot['manifest-list']);
    const known = this.#named.get(list);
    if (known !== undefined) return known;
    const manifests = readManifestList(this.#body(list)).map(({ manifest_path }) => this.#keyOf(manifest_path));
    const files = manifests.flatMap((key) => this.#filesOf(key));
    const names = [list, ...manifests, ...files];
    this.#named.set(list, names);
    return names;
  }

  #filesOf(manifest: string): readonly string[] {
    const known = this.#files.get(manifest);
    if (known !== undefined) return known;
    const files = readManifest(this.#body(manifest))
      .filter(({ status }) => status !== STATUS.deleted)
      .map(({ data_file }) => this.#keyOf(data_file.file_path));
    this.#files.set(manifest, files);
    return files;
  }

  #rows(key: string): TableRow[] {
    return rowsIn(textOf({ body: this.#body(key) }));
  }

  #keyOf(address: string): string {
    return keyOf({ location: this.#metadata?.location ?? '' }, address);
  }

  #body(key: string): Uint8Array {
    const object = this.#bucket.get(key);
    if (object === undefined) this.#world.violate(`the table names ${key}, which is not there`);
    return object?.body ?? new Uint8Array();
  }
}
