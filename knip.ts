import { readFileSync } from 'node:fs';
import type { KnipConfig } from 'knip';

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Readonly<Record<string, string>> };

export default {
  entry: [
    // knip does not look behind with-node.mjs.
    ...Object.values(scripts).flatMap(
      (script) => script.match(/(?<=exec node |\.mjs node (?:-\S+ )*)[\w/-]+\.\w+/g) ?? [],
    ),
    'src/cli/exit-with-parent.ts',
    'src/local/worker.ts',
    'src/site/browser/main.ts',
    'test/simulation/backlog.ts',
    'test/simulation/plain-zlib.ts',
    'test/bench/workers/*.ts',
    'test/mutation/only-sample.ts',
    'test/work/count-work.ts',
  ],
  vitest: { config: ['vitest.config.ts', 'test/*/vitest.config.ts'] },
  ignoreDependencies: [
    '@biomejs/biome',
    '@swc/core',
    'dependency-cruiser',
    '@fontsource/.+',
    '@fontsource-variable/.+',
    '@stryker-mutator/vitest-runner',
  ],
} satisfies KnipConfig;
