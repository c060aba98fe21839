/** The stylesheet, the script and the fonts of the pages, minified and named by a hash of their content. */

import { basename } from 'node:path';
import { build } from 'esbuild';

/** The addresses that a page loads, and the files behind them. */
export interface Bundle {
  readonly style: string;
  readonly script: string;
  /** Fonts to preload on every page. */
  readonly fonts: readonly string[];
  readonly files: ReadonlyMap<string, Uint8Array>;
}

/** Builds the bundle with esbuild. */
export async function bundle(): Promise<Bundle> {
  const { outputFiles } = await build({
    absWorkingDir: import.meta.dirname,
    entryPoints: { style: 'style/main.css', script: 'browser/main.ts' },
    entryNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    outdir: '/static',
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: ['es2022', 'chrome123', 'firefox121', 'safari17.5'],
    loader: { '.woff2': 'file' },
  });
  const files = new Map(outputFiles.map(({ path, contents }) => [`static/${basename(path)}`, contents]));
  const find = (pattern: RegExp) => [...files.keys()].filter((path) => pattern.test(path)).map((path) => `/${path}`);
  const [style = ''] = find(/style-.*\.css$/);
  const [script = ''] = find(/script-.*\.js$/);
  return { style, script, fonts: find(/\.woff2$/), files };
}
