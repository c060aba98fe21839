/** The style, the script and the fonts of the pages, small and under names that change with their content. */

import { basename, join } from 'node:path';
import { build } from 'esbuild';

/** The addresses of what a page loads, and the files behind them. */
export interface Bundle {
  readonly style: string;
  readonly script: string;
  /** Fonts that every page needs at once. */
  readonly fonts: readonly string[];
  readonly files: ReadonlyMap<string, Uint8Array>;
}

/** Bundles them with esbuild. */
export async function bundle(): Promise<Bundle> {
  const { outputFiles } = await build({
    entryPoints: { style: here('style/main.css'), script: here('browser/main.ts') },
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

function here(path: string): string {
  return join(import.meta.dirname, path);
}
