/** A Worker of the benchmarks as one file, made as wrangler makes ours. */

import { dirname, resolve } from 'node:path';
import { build, type Plugin } from 'esbuild';

/** Code to put in place of modules, by their paths. */
export type Replaced = Readonly<Record<string, string>>;

/** Bundles an entry. Modules of the platform stay imports. */
export async function bundle(entry: string, replaced: Replaced = {}): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: 'esnext',
    conditions: ['workerd', 'worker', 'browser'],
    external: ['cloudflare:*', 'node:*'],
    plugins: [replacing(replaced)],
  });
  return outputFiles[0]?.text ?? '';
}

function replacing(replaced: Replaced): Plugin {
  const left = new Map(Object.entries(replaced).map(([path, code]) => [resolve(path), code]));
  return {
    name: 'replace modules',
    setup({ onLoad, onEnd }) {
      onLoad({ filter: /\.ts$/ }, ({ path }) => {
        const contents = left.get(path);
        left.delete(path);
        return contents === undefined ? undefined : { contents, loader: 'ts', resolveDir: dirname(path) };
      });
      onEnd(() => {
        if (left.size > 0) throw new Error(`Cannot replace ${[...left.keys()].join(', ')}: nothing imports it`);
      });
    },
  };
}
