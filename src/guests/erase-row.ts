/** Erasing the guest from a row. Pure. */

import { COLUMNS, factsOf } from '../contract/row.ts';
import { parseRow, toStoredLine } from '../storage/line.ts';
import type { KeyedDigest } from './digest.ts';
import { OPEN_COLUMNS } from './row-identifiers.ts';

/** The warning of a row whose guest was erased; `column:erased` when a guest was only named in that column. */
export const ERASED = 'erased';

/** The columns that hold personal data. */
export const PERSONAL_COLUMNS = COLUMNS.filter((column) => factsOf(column).personal);

/**
 * Erases the guest from the line of an event: the guest columns become null, and the warning `erased` says so. The
 * fingerprint was computed from these values, and a sender may have put anything into the idempotency key: both are
 * replaced by digests, which keep equal values equal. Everything else stays byte for byte; so does a line that was
 * already erased.
 *
 * @param line - Of any schema version; columns that it lacks are not added.
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
 * Erases a guest who is only named in the row of another: the values of {@link OPEN_COLUMNS} become null, with a
 * warning for each, and the columns of the other guest stay. A line that was already erased stays as it is.
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

/** Replaces the fingerprint and the key of a row, which could confirm a guess at the guest, by digests. */
export function withoutTraces(row: Readonly<Record<string, unknown>>, digest: KeyedDigest): Record<string, unknown> {
  // Only once: the digest of a digest would be a different value.
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
