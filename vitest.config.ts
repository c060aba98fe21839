import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { cloudflareTest } from '@cloudflare/vitest-pool-workers';
import { defineConfig } from 'vitest/config';

/** A token for the tests and nothing else. */
const API_TOKEN = 'test-token';

/** Tests that run in Node: the tools, and the service from outside, started as a user starts it. */
const NODE_TESTS = ['cli', 'e2e', 'project', 'site', 'work'].map((folder) => `test/${folder}/**/*.test.ts`);

/** Those of them that type commands, break connections and ask databases: some four minutes, and so a run of their own. */
const TOOL_TESTS = [
  'test/cli/{deploy,events,guests,rehearse,replay,secret,send,send-order,start,token}.test.ts',
  'test/cli/events/{ask,pull,verify}.test.ts',
  'test/cli/schema/{loaders,views}.test.ts',
  'test/cli/token/revoke.test.ts',
  'test/e2e/smoke.test.ts',
  'test/project/adding-a-column.test.ts',
];

const IN_NODE = {
  environment: 'node',
  // They share one service for each process: starting it takes longer than most files.
  isolate: false,
  globalSetup: 'test/e2e/temporary-folder.ts',
  // A command compiles itself in half a second, and most tests of commands start several.
  env: { NODE_COMPILE_CACHE: resolve('node_modules/.cache/compiled') },
  testTimeout: 60_000,
  hookTimeout: 60_000,
};

export default defineConfig({
  // Proofs that take minutes are shortened unless THOROUGH=1 asks for all of them.
  define: { __THOROUGH__: JSON.stringify(process.env.THOROUGH === '1') },
  test: {
    silent: 'passed-only',
    // Half of the time a test waits for a process of its own, so that one worker leaves a machine of two cores idle.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      {
        // In workerd, with a real Queue and R2.
        plugins: [
          cloudflareTest({
            wrangler: { configPath: './wrangler.toml' },
            miniflare: {
              bindings: { API_TOKEN, API_TOKEN_NEXT: '', API_TOKENS: '', ALERT_WEBHOOK: '', PSEUDONYM_KEY: '' },
            },
          }),
        ],
        test: {
          name: 'worker',
          // Starting a runtime for each file takes longer than most files.
          isolate: false,
          setupFiles: ['test/start-clean.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          include: ['test/**/*.test.ts'],
          exclude: [...NODE_TESTS, 'test/browser/**', 'test/clients/**', 'test/clickhouse/**'],
        },
      },
      { test: { ...IN_NODE, name: 'node', include: NODE_TESTS, exclude: TOOL_TESTS } },
      { test: { ...IN_NODE, name: 'tools', include: TOOL_TESTS } },
    ],
  },
});
