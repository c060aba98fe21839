import { expect, test } from 'vitest';
import { PARQUET_COLUMNS } from '../../../src/publish/parquet/columns.ts';
import { openParquet } from '../../../src/publish/parquet/write-file.ts';
import { lineAt } from '../landing.ts';

test('`openParquet()` compresses columns of which more than 64 KiB are left', async () => {
  const file = await openParquet(PARQUET_COLUMNS, 10_000);
  const row: Record<string, unknown> = JSON.parse(lineAt(Date.parse('2026-07-10T12:00:00Z')));
  for (let comment = 0; comment < 3_000; comment++) {
    file.add({ ...row, staff_comment: crypto.getRandomValues(new Uint8Array(60)).toHex() });
  }
  // Half of what hexadecimal digits hold is left when they are compressed.
  const { byteLength } = file.finish();
  expect(byteLength).toBeGreaterThan(3_000 * 60);
  expect(byteLength).toBeLessThan(3_000 * 120);
});
