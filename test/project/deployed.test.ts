/** What is deployed is small because it holds nothing but what answers, lands and publishes. */

import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

/** A little more than it takes now, so that growth is noticed. Cloudflare takes 3 MB; what is small starts fast in a new isolate. */
const MAX_GZIP_BYTES = 20 * 1_024;

const { outputFiles, metafile } = await build({
  entryPoints: ['src/index.ts'],
  bundle: true,
  minify: true,
  write: false,
  metafile: true,
  format: 'esm',
  target: 'es2024',
  conditions: ['workerd', 'worker', 'browser'],
  external: ['node:*'],
});
const [output] = Object.values(metafile.outputs);
const modules = Object.entries(output?.inputs ?? {}).filter(([, { bytesInOutput }]) => bytesInOutput > 0);

test('of packages, only the router and Valibot are deployed', () => {
  const packages = modules.map(([path]) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1]);
  expect([...new Set(packages.filter((name) => name !== undefined))].sort()).toEqual(['itty-router', 'valibot']);
});

test('no module of Node is loaded when an isolate starts, which would take longer than all the rest', () => {
  const imports = output?.imports.map(({ path, kind }) => `${path} ${kind}`);
  expect(imports).toEqual(['node:zlib dynamic-import']);
});

test.each(['json-schema', 'meanings', 'row'])('src/contract/%s.ts, which explains, is not deployed', (name) => {
  expect(modules.map(([path]) => path)).not.toContain(`src/contract/${name}.ts`);
});

test(`what is deployed takes less than ${MAX_GZIP_BYTES} bytes of gzip`, () => {
  expect(gzipSync(outputFiles[0]?.contents ?? '').byteLength).toBeLessThan(MAX_GZIP_BYTES);
});
