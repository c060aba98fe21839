/** What is loaded when an isolate starts is small because it holds nothing but what answers, lands and publishes. */

import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

/** A little more than it takes now, so that growth is noticed. Cloudflare takes 3 MB; what is small starts fast in a new isolate. */
const MAX_GZIP_BYTES = 18 * 1_024;

const { outputFiles, metafile } = await build({
  entryPoints: ['src/index.ts'],
  bundle: true,
  // What is imported when it is needed is in files of its own, which are not counted.
  splitting: true,
  outdir: 'dist',
  minify: true,
  write: false,
  metafile: true,
  format: 'esm',
  target: 'es2024',
  conditions: ['workerd', 'worker', 'browser'],
  external: ['node:*', 'cloudflare:*'],
});
const atStart = filesAtStart('dist/index.js');
const modules = atStart
  .flatMap((file) => Object.entries(metafile.outputs[file]?.inputs ?? {}))
  .filter(([, { bytesInOutput }]) => bytesInOutput > 0);

/** A file, and those that it imports, and so on. */
function filesAtStart(file: string): string[] {
  const imports =
    metafile.outputs[file]?.imports.filter(({ kind, external }) => kind === 'import-statement' && external !== true) ??
    [];
  return [...new Set([file, ...imports.flatMap(({ path }) => filesAtStart(path))])];
}

test('of packages, only Valibot is loaded', () => {
  const packages = modules.map(([path]) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1]);
  expect([...new Set(packages.filter((name) => name !== undefined))].sort()).toEqual(['valibot']);
});

test('no module of Node is loaded when an isolate starts, which would take longer than all the rest', () => {
  const imports = atStart.flatMap((file) => metafile.outputs[file]?.imports ?? []);
  expect(imports.filter(({ kind, path }) => kind === 'import-statement' && path.startsWith('node:'))).toEqual([]);
  expect(imports.filter(({ kind }) => kind === 'dynamic-import').map(({ path }) => path)).not.toEqual([]);
});

test.each(['json-schema', 'meanings', 'row'])('src/contract/%s.ts, which explains, is not loaded', (name) => {
  expect(modules.map(([path]) => path)).not.toContain(`src/contract/${name}.ts`);
});

test(`what is loaded takes less than ${MAX_GZIP_BYTES} bytes of gzip`, () => {
  const files = outputFiles.filter(({ path }) => atStart.some((file) => path.endsWith(`/${file}`)));
  expect(files).toHaveLength(atStart.length);
  // Together, since wrangler deploys one file.
  const bytes = gzipSync(files.map(({ text }) => text).join('')).byteLength;
  expect(bytes).toBeGreaterThan(MAX_GZIP_BYTES / 2);
  expect(bytes).toBeLessThan(MAX_GZIP_BYTES);
});
