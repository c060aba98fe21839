/** The events that an earlier `pull` has copied. */

import { existsSync } from 'node:fs';
import { fileOf, openFolder } from '../folder-store.ts';
import { includesDay, listHours, overlaps, type TimeRange } from '../list-hours.ts';
import { currentObjects, lineageOf } from './coverage.ts';
import type { SourceChoice } from './events-options.ts';
import { PARQUET_LOG, PART_LOG, readLog } from './published-log.ts';

/**
 * Finds the files that hold each event of some hours once: columnar ones for the days that they cover, parts for the rest.
 *
 * @returns Paths.
 * @throws When the folder does not hold all parts that its log names, since an answer without them would be wrong.
 */
export async function filesIn(
  folder: string,
  source: SourceChoice,
  range: TimeRange,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const keys: string[] = [];
  if (source !== 'landing') keys.push(...(await publishedIn(folder, range, signal)));
  if (source !== 'events') {
    for await (const { key } of listHours(openFolder(folder), 'landing', range)) {
      if (key.endsWith('.ndjson')) keys.push(key);
    }
  }
  return keys.map((key) => fileOf(folder, key));
}

async function publishedIn(folder: string, range: TimeRange, signal: AbortSignal): Promise<readonly string[]> {
  const store = openFolder(folder);
  const log = await readLog(store, PART_LOG, 0, signal);
  const columnar = await readLog(store, PARQUET_LOG, 0, signal);
  const lineage = lineageOf(log.entries);
  const isThere = ({ key }: { readonly key: string }) => existsSync(fileOf(folder, key));
  const parts = new Set([...lineage.parts.values()].filter(({ partition }) => overlaps(range, partition)));
  const keys: string[] = [];
  for (const [object, covered] of currentObjects(lineage, columnar.entries)) {
    // One of a day that the range cuts is used where the folder has no parts; the query leaves out the other hours.
    const isWanted = includesDay(range, object.day) || covered.some((part) => parts.has(part) && !isThere(part));
    if (!isWanted || !isThere(object)) continue;
    keys.push(object.key);
    for (const part of covered) parts.delete(part);
  }
  if (log.entries.length === 0 || log.findings.length > 0 || ![...parts].every(isThere)) {
    throw new Error(
      `Cannot ask about ${folder}: it is no whole copy of these hours; run npm run events -- pull ${folder} with the same --from and --to`,
    );
  }
  return [...keys, ...[...parts].map(({ key }) => key)];
}
