/** Whether columnar objects cover each part once. Pure. */

import type { LogEntry } from '../../storage/log-entry.ts';
import { type ParquetEntry, sequencesOf } from '../../storage/parquet-entry.ts';
import type { LogFinding } from './log-finding.ts';
import { PARQUET_LOG, PART_LOG, standing } from './published-log.ts';

/**
 * Compares both logs: what stands covers no entry twice and none that does not exist, and has as many rows as its parts.
 *
 * @param bySequence - For each entry of the log of parts, the part that has taken its place.
 */
export function checkCoverage(
  entries: readonly ParquetEntry[],
  bySequence: ReadonlyMap<number, LogEntry>,
): LogFinding[] {
  const findings: LogFinding[] = [];
  const coveredBy = new Map<number, ParquetEntry>();
  for (const entry of standing(entries).values()) {
    const covered = new Set(sequencesOf(entry.covers));
    const parts = new Set<LogEntry>();
    for (const sequence of covered) {
      const part = bySequence.get(sequence);
      const other = coveredBy.get(sequence);
      if (part !== undefined) parts.add(part);
      else
        findings.push({
          kind: 'covers',
          entry,
          why: `covers entry ${sequence} of ${PART_LOG.prefix}, which does not exist`,
        });
      if (other !== undefined) {
        const why = `covers entry ${sequence} of ${PART_LOG.prefix}, as entry ${other.sequence} of ${PARQUET_LOG.prefix} does`;
        findings.push({ kind: 'covers', entry, why });
      }
      coveredBy.set(sequence, entry);
    }
    // One that waits for its replacement has the rows of parts that are gone, and they are as many.
    const rows = [...parts].reduce((sum, part) => sum + part.rows, 0);
    if (rows !== entry.rows && parts.size > 0) {
      findings.push({
        kind: 'covers',
        entry,
        why: `has ${entry.rows} rows, and the parts that it covers have ${rows}`,
      });
    }
  }
  return findings;
}
