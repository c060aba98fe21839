import { defineConfig } from 'vitest/config';

/** The pages in a real browser: `npm run test:browser`. It needs Chromium, so it is no part of `npm test`. */
export default defineConfig({
  test: {
    name: 'browser',
    include: ['test/browser/**/*.test.ts'],
    // One browser and one service at a time is what a small machine bears.
    fileParallelism: false,
    silent: false,
    testTimeout: 180_000,
    hookTimeout: 60_000,
    // A page that is slow to show something is no fault; the default gives up after a second.
    expect: { poll: { timeout: 30_000 } },
  },
});
