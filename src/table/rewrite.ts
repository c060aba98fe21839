/** Rewriting data files of one day from the parts that they hold. */

import type { DataFile } from '../storage/iceberg/manifest.ts';
import { PART_COLUMN } from '../storage/iceberg/schema.ts';
import { keyOf } from '../storage/iceberg/table.ts';
import { listKeys } from '../storage/part-log.ts';
import { longBounds } from './bounds.ts';
import { buildFiles, type SourcePart } from './build-files.ts';
import { parseDataFileName } from './data-file-key.ts';
import { rangesOf, readRanges, type SequenceRange } from './sequence-ranges.ts';
import type { Attempt, TableTools } from './tools.ts';

/** Sequences closer together than this are listed together. */
const GAP = 500;

/** The data files of a day, with what was looked up about them. */
export class FilesOfDay {
  readonly #tools: TableTools;
  /** All files of the day. */
  readonly files: readonly DataFile[];
  readonly #parts = new Map<DataFile, readonly number[]>();
  #keys: Map<number, string> | undefined;

  constructor(tools: TableTools, files: readonly DataFile[]) {
    this.#tools = tools;
    this.files = files;
  }

  /** The sequences of the parts that a file holds. */
  async partsOf(file: DataFile): Promise<readonly number[]> {
    const known = this.#parts.get(file);
    if (known !== undefined) return known;
    const object = await this.#tools.bucket.head(keyOf(this.#tools, file.file_path));
    const parts = readRanges(object?.customMetadata?.parts);
    this.#parts.set(file, parts);
    return parts;
  }

  /**
   * The files that hold a part; a large part may be in several.
   *
   * @param key - The key of the part.
   * @throws When none does.
   */
  async holdingPart(key: string): Promise<DataFile[]> {
    const found: DataFile[] = [];
    const [sequence] = [...(await this.#keysOfDay())].find(([, each]) => each === key) ?? [Number.NaN];
    for (const file of this.files) {
      const [first, last] = longBounds(file, PART_COLUMN);
      if (first <= sequence && sequence <= last && (await this.partsOf(file)).includes(sequence)) found.push(file);
    }
    if (found.length > 0) return found;
    throw new Error(
      `Cannot bring the table in line with the log, which replaces ${key}: no data file holds its rows; see what "events -- verify" says`,
    );
  }

  /** The keys of all parts of the day by sequence, as recorded in the log; some other days may be included. */
  async #keysOfDay(): Promise<ReadonlyMap<number, string>> {
    this.#keys ??= await this.#readKeys();
    return this.#keys;
  }

  async #readKeys(): Promise<Map<number, string>> {
    const ranges: SequenceRange[] = [];
    for (const file of this.files) {
      const [first, last] = longBounds(file, PART_COLUMN);
      // A replacement may be logged as much as years later: the entries in between are not listed.
      if (last - first > GAP) ranges.push(...rangesOf(await this.partsOf(file)));
      else ranges.push([first, last]);
    }
    const windows: [number, number][] = [];
    for (const [first, last] of ranges.sort(([left], [right]) => left - right)) {
      const window = windows.at(-1);
      if (window !== undefined && first <= window[1] + GAP) window[1] = Math.max(window[1], last);
      else windows.push([first, last]);
    }
    const keys = new Map<number, string>();
    for (const [first, last] of windows) {
      for await (const [sequence, key] of listKeys(this.#tools.bucket, first, last)) keys.set(sequence, key);
    }
    return keys;
  }

  /** The files, and all others that hold pieces of the same parts. */
  async together(files: Iterable<DataFile>): Promise<DataFile[]> {
    const all = new Set(files);
    const split = this.files.filter(({ file_path }) => parseDataFileName(file_path).fullness === 'split');
    // Iterating a set also visits what is added meanwhile.
    for (const file of all) {
      if (!split.includes(file)) continue;
      const parts = await this.partsOf(file);
      for (const other of split) {
        if (!all.has(other) && (await this.partsOf(other)).some((part) => parts.includes(part))) all.add(other);
      }
    }
    return [...all];
  }

  /**
   * The parts that files hold.
   *
   * @param replaced - Parts that are replaced, by their keys, and what they are replaced with.
   */
  async sourcesOf(files: readonly DataFile[], replaced: ReadonlyMap<string, SourcePart>): Promise<SourcePart[]> {
    const keys = await this.#keysOfDay();
    const sources = new Map<number, SourcePart>();
    for (const file of files) {
      for (const sequence of await this.partsOf(file)) {
        const key = keys.get(sequence);
        if (key === undefined) throw new Error(`Cannot write ${file.file_path} anew: the log has no entry ${sequence}`);
        sources.set(sequence, replaced.get(key) ?? { sequence, key });
      }
    }
    return [...sources.values()];
  }
}

/**
 * Rewrites files.
 *
 * @param files - All that hold a piece of one of their parts, see `together()`.
 * @param replaced - As for `sourcesOf()`.
 * @returns The new files, and how many parts were read for them.
 */
export async function rewriteFiles(
  attempt: Attempt,
  day: FilesOfDay,
  files: readonly DataFile[],
  replaced: ReadonlyMap<string, SourcePart> = new Map(),
): Promise<{ readonly files: readonly DataFile[]; readonly parts: number }> {
  const [first] = files;
  if (first === undefined) return { files: [], parts: 0 };
  const { day: date } = parseDataFileName(first.file_path);
  const sources = await day.sourcesOf(files, replaced);
  return { files: await buildFiles(attempt, date, sources), parts: sources.length };
}
