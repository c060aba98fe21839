/** The summary of a snapshot. Pure. */

import type { DataFile } from '../storage/iceberg/manifest.ts';
import { logSequenceOf, type Snapshot } from '../storage/iceberg/table.ts';
import type { Change } from './change.ts';

/** The member that says that rows were erased or guests hidden: earlier snapshots still show them. */
export const ERASES = 'erases-guests';

/** The summary of a snapshot (Iceberg table spec, Snapshots, and Optional Snapshot Summary Fields). */
export function summaryOf(parent: Snapshot | undefined, change: Change): Snapshot['summary'] {
  const before = (name: string) => Number(parent?.summary[name] ?? 0);
  const sums = (files: readonly DataFile[]) => ({
    files: files.length,
    rows: files.reduce((sum, file) => sum + file.record_count, 0),
    bytes: files.reduce((sum, file) => sum + file.file_size_in_bytes, 0),
  });
  const [added, deleted] = [sums(change.add), sums(change.remove)];
  const completeThrough = change.completeThrough ?? parent?.summary['complete-through'];
  const numbers = {
    'added-data-files': added.files,
    'deleted-data-files': deleted.files,
    'added-records': added.rows,
    'deleted-records': deleted.rows,
    'total-data-files': before('total-data-files') + added.files - deleted.files,
    'total-records': before('total-records') + added.rows - deleted.rows,
    'total-files-size': before('total-files-size') + added.bytes - deleted.bytes,
    'total-delete-files': 0,
    'total-position-deletes': 0,
    'total-equality-deletes': 0,
    'log-sequence': change.through ?? logSequenceOf(parent),
  };
  return {
    operation: change.operation,
    ...Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, String(value)])),
    ...(completeThrough !== undefined && { 'complete-through': completeThrough }),
    ...(change.erases === true && { [ERASES]: 'true' }),
  };
}
