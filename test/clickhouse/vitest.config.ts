import { defineConfig } from 'vitest/config';

/** ClickHouse, which is too large to be installed with everything else: `CHDB` names where it is. */
export default defineConfig({
  test: {
    include: ['test/clickhouse/**/*.test.ts'],
    silent: 'passed-only',
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
