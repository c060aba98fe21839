/** A row without its guest. Pure. */

import { COLUMNS, factsOf } from '../contract/row.ts';
import { toStoredLine } from '../storage/line.ts';
import type { KeyedDigest } from './digest.ts';

/** The warning of a row whose guest was erased. */
const ERASED = 'erased';

const PERSONAL_COLUMNS = COLUMNS.filter((column) => factsOf(column).personal);

/**
 * Erases the guest from the line of an event: what tells of a guest is null, and the warning `erased` says so. The
 * fingerprint was made of these values, and a sender may have put anything into the idempotency key: digests take their
 * place, by which equal ones stay equal. Everything else stays as it is, byte for byte; so does a line that is erased.
 *
 * @param line - Of any schema version; columns that it does not have are not added.
 * @throws SyntaxError when it is no JSON.
 */
export function eraseRow(line: string, digest: KeyedDigest): string {
  const row: Record<string, unknown> = JSON.parse(line);
  for (const column of PERSONAL_COLUMNS) if (column in row) row[column] = null;
  const warnings: unknown[] = Array.isArray(row.warnings) ? row.warnings : [];
  // Once only: the digest of a digest would be another value.
  if (!warnings.includes(ERASED)) {
    row.event_fingerprint = digest(`event_fingerprint:${row.event_fingerprint}`);
    if (typeof row.idempotency_key === 'string') row.idempotency_key = digest(`idempotency_key:${row.idempotency_key}`);
    row.warnings = [...warnings, ERASED];
  }
  return toStoredLine(row);
}
