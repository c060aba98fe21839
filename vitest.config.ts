import { cloudflareTest } from '@cloudflare/vitest-pool-workers';
import { defineConfig } from 'vitest/config';

/** A token for the tests and nothing else. */
const API_TOKEN = 'test-token';

export default defineConfig({
  test: {
    silent: 'passed-only',
    projects: [
      {
        // In workerd, with a real Queue and R2 of its own for each file.
        plugins: [
          cloudflareTest({
            wrangler: { configPath: './wrangler.toml' },
            miniflare: { bindings: { API_TOKEN } },
          }),
        ],
        test: {
          name: 'worker',
          include: ['test/**/*.test.ts'],
          exclude: ['test/cli/**', 'test/e2e/**', 'test/site/**'],
        },
      },
      {
        // In Node: the tools, and the service from outside, started as a user starts it.
        test: {
          name: 'node',
          environment: 'node',
          include: ['test/cli/**/*.test.ts', 'test/e2e/**/*.test.ts', 'test/site/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
