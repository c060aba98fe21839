/** Objects that lie there and should not: a reader of all files would count them. Pure. */

import type { LogEntry } from '../../storage/log-entry.ts';
import type { StoredObject } from '../object-store/xml.ts';
import type { LogFinding } from './log-finding.ts';
import { standing } from './published-log.ts';

/** What files of published events end in; other files are nobody's concern here. */
const PUBLISHED = '.ndjson.gz';

/**
 * Compares a listing with the log.
 *
 * @param settledBefore - What was written or replaced from this moment on is left out.
 */
export function checkListing(
  objects: readonly StoredObject[],
  entries: readonly LogEntry[],
  settledBefore: Date,
): LogFinding[] {
  const logged = standing(entries);
  const replacements = new Map(entries.map((entry) => [entry.replaces, entry]));
  return objects.flatMap(({ key, modified }): LogFinding[] => {
    if (logged.has(key) || !key.endsWith(PUBLISHED)) return [];
    const by = replacements.get(key);
    const since = by === undefined ? modified : new Date(by.committed_at);
    if (since >= settledBefore) return [];
    return [by === undefined ? { kind: 'unlogged', key } : { kind: 'replaced', key, by }];
  });
}
