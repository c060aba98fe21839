/** The events that an earlier `pull` has copied. */

import { existsSync } from 'node:fs';
import { fileOf, openFolder } from '../folder-store.ts';
import { listHours, overlaps, type TimeRange } from '../list-hours.ts';
import type { SourceChoice } from './events-options.ts';
import { readLog, standing } from './published-log.ts';

/**
 * Finds the files that hold the events of some hours.
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
  const store = openFolder(folder);
  const keys: string[] = [];
  if (source !== 'landing') {
    const { entries, findings } = await readLog(store, 0, signal);
    const parts = [...standing(entries).values()].filter(({ partition }) => overlaps(range, partition));
    const missing = parts.filter(({ key }) => !existsSync(fileOf(folder, key)));
    if (entries.length === 0 || findings.length > 0 || missing.length > 0) {
      throw new Error(
        `Cannot ask about ${folder}: it is no whole copy of these hours; run npm run events -- pull ${folder} with the same --from and --to`,
      );
    }
    keys.push(...parts.map(({ key }) => key));
  }
  if (source !== 'events') {
    for await (const { key } of listHours(store, 'landing', range)) if (key.endsWith('.ndjson')) keys.push(key);
  }
  return keys.map((key) => fileOf(folder, key));
}
