/** A Worker of the benchmarks as one file, made as wrangler makes ours. */

import { build } from 'esbuild';

/** Bundles an entry. Modules of the platform stay imports. */
export async function bundle(entry: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: 'esnext',
    conditions: ['workerd', 'worker', 'browser'],
    external: ['cloudflare:*', 'node:*'],
  });
  return outputFiles[0]?.text ?? '';
}
