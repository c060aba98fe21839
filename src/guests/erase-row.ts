/** A row without its guest. Pure. */

import { COLUMNS, factsOf } from '../contract/row.ts';
import { parseRow, toStoredLine } from '../storage/line.ts';
import type { KeyedDigest } from './digest.ts';
import { OPEN_COLUMNS } from './row-identifiers.ts';

/** The warning of a row whose guest was erased. A guest who was only named in a column leaves `column:erased`. */
export const ERASED = 'erased';

/** The columns that hold personal data. */
export const PERSONAL_COLUMNS = COLUMNS.filter((column) => factsOf(column).personal);

/**
 * Erases the guest from the line of an event: the columns of guests are null, and the warning `erased` says so. The
 * fingerprint was made of these values, and a sender may have put anything into the idempotency key: digests take their
 * place, by which equal ones stay equal. Everything else stays as it is, byte for byte; so does a line that is erased.
 *
 * @param line - Of any schema version; columns that it does not have are not added.
 * @throws As {@link parseRow}.
 */
export function eraseRow(line: string, digest: KeyedDigest): string {
  const row = withoutTraces(parseRow(line), digest);
  for (const column of PERSONAL_COLUMNS) if (column in row) row[column] = null;
  const warnings = warningsOf(row);
  if (!warnings.includes(ERASED)) row.warnings = [...warnings, ERASED];
  return toStoredLine(row);
}

/**
 * Erases a guest who is only named in the row of another: what stands in {@link OPEN_COLUMNS} goes, with a warning for
 * each, and the columns of the other guest stay. A line that is erased already stays as it is.
 */
export function eraseNamed(line: string, digest: KeyedDigest): string {
  const before = parseRow(line);
  const named = OPEN_COLUMNS.filter((column) => typeof before[column] === 'string');
  if (named.length === 0) return line;
  const row = withoutTraces(before, digest);
  for (const column of named) row[column] = null;
  row.warnings = [...warningsOf(before), ...named.map((column) => `${column}:${ERASED}`)];
  return toStoredLine(row);
}

/** A row with digests in place of its fingerprint and key, from which a guess at the guest could be confirmed. */
export function withoutTraces(row: Readonly<Record<string, unknown>>, digest: KeyedDigest): Record<string, unknown> {
  // Once only: the digest of a digest would be another value.
  if (warningsOf(row).some((warning) => warning === ERASED || String(warning).endsWith(`:${ERASED}`)))
    return { ...row };
  const { event_fingerprint: fingerprint, idempotency_key: key } = row;
  return {
    ...row,
    event_fingerprint: digest(`event_fingerprint:${fingerprint}`),
    ...(typeof key === 'string' && { idempotency_key: digest(`idempotency_key:${key}`) }),
  };
}

function warningsOf({ warnings }: Readonly<Record<string, unknown>>): readonly unknown[] {
  return Array.isArray(warnings) ? warnings : [];
}
