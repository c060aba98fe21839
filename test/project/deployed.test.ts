/** What is deployed is one file, small because it holds nothing but what the Worker runs. */

import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };

/** Cloudflare takes 3 MB; what is small starts fast. */
const MAX_GZIP_BYTES = 96 * 1_024;

const { outputFiles, metafile } = await build({
  entryPoints: ['src/index.ts'],
  bundle: true,
  outfile: 'dist/index.js',
  minify: true,
  write: false,
  metafile: true,
  format: 'esm',
  target: 'es2024',
  conditions: ['workerd', 'worker', 'browser'],
  external: ['node:*', 'cloudflare:*'],
});
const { inputs = {} } = metafile.outputs['dist/index.js'] ?? {};
const modules = Object.entries(inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : []));

test('the packages are those that package.json names for the Worker, and what these need', () => {
  const packages = modules.map((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1]);
  expect(packages).toEqual(expect.arrayContaining(Object.keys(manifest.dependencies)));
  expect(packages.filter((name) => name !== undefined && name in manifest.devDependencies)).toEqual([]);
});

test.each(['json-schema', 'meanings'])('src/contract/%s.ts, which explains, is not deployed', (name) => {
  expect(modules).not.toContain(`src/contract/${name}.ts`);
});

test(`what is deployed takes less than ${MAX_GZIP_BYTES} bytes of gzip`, () => {
  const bytes = gzipSync(outputFiles[0]?.contents ?? '').byteLength;
  expect(bytes).toBeGreaterThan(MAX_GZIP_BYTES / 2);
  expect(bytes).toBeLessThan(MAX_GZIP_BYTES);
});
