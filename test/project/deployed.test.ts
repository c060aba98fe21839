/** What is loaded when an isolate starts is small because it holds nothing but what takes an ordinary event. */

import { gzipSync } from 'node:zlib';
import { build, type Plugin } from 'esbuild';
import { expect, test } from 'vitest';

/** What the first event in an isolate waits for, beside the platform. Cloudflare takes 3 MB; what is small starts fast. */
const MAX_GZIP_BYTES = 13 * 1_024;

/** What is loaded when it is asked for is not counted, and keeps nothing alive that the rest does not need. */
const LOADED_LATER: Plugin = {
  name: 'leave out what is loaded later',
  setup({ onResolve }) {
    onResolve({ filter: /^\./ }, ({ kind, path }) =>
      kind === 'dynamic-import' ? { path, external: true } : undefined,
    );
  },
};

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
  plugins: [LOADED_LATER],
});
const { inputs = {}, imports = [] } = metafile.outputs['dist/index.js'] ?? {};
const modules = Object.entries(inputs).filter(([, { bytesInOutput }]) => bytesInOutput > 0);

test('of packages, only Valibot is loaded', () => {
  const packages = modules.map(([path]) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1]);
  expect([...new Set(packages.filter((name) => name !== undefined))].sort()).toEqual(['valibot']);
});

test('no module of Node is loaded when an isolate starts, which would take longer than all the rest', () => {
  expect(imports.filter(({ kind, path }) => kind === 'import-statement' && path.startsWith('node:'))).toEqual([]);
  expect(imports.filter(({ kind }) => kind === 'dynamic-import').map(({ path }) => path)).not.toEqual([]);
});

test.each(['json-schema', 'meanings', 'row'])('src/contract/%s.ts, which explains, is not loaded', (name) => {
  expect(modules.map(([path]) => path)).not.toContain(`src/contract/${name}.ts`);
});

test(`what is loaded takes less than ${MAX_GZIP_BYTES} bytes of gzip`, () => {
  const bytes = gzipSync(outputFiles[0]?.contents ?? '').byteLength;
  expect(bytes).toBeGreaterThan(MAX_GZIP_BYTES / 2);
  expect(bytes).toBeLessThan(MAX_GZIP_BYTES);
});
