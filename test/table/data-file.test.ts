import { expect, test } from 'vitest';
import { COLUMNS } from '../../src/contract/row.ts';
import { writeRows } from '../../src/table/data-file.ts';
import { HOUR, lineAt } from '../publish/landing.ts';

test('`writeRows()` compresses columns of which more than 64 KiB are left', () => {
  const row: Record<string, unknown> = JSON.parse(lineAt(HOUR));
  const rows = Array.from({ length: 3_000 }, () => {
    const staff_comment = crypto.getRandomValues(new Uint8Array(60)).toHex();
    return [...COLUMNS.map((name) => (name === 'staff_comment' ? staff_comment : (row[name] ?? null))), 1];
  });
  // Half of what hexadecimal digits hold is left when they are compressed.
  const { body } = writeRows(rows, 10_000);
  expect(body.byteLength).toBeGreaterThan(3_000 * 60);
  expect(body.byteLength).toBeLessThan(3_000 * 120);
});
