import { defineConfig } from 'vitest/config';

/**
 * The service as clients meet it: `npm run test:clients`. It needs the languages of the snippets
 * and the generators of clients, so it is no part of `npm test`.
 */
export default defineConfig({
  test: {
    name: 'clients',
    include: ['test/clients/**/*.test.ts'],
    // One service at a time is what a small machine bears.
    fileParallelism: false,
    silent: 'passed-only',
    testTimeout: 120_000,
    hookTimeout: 60_000,
  },
});
