import { globSync, readFileSync } from 'node:fs';

/** The README and everything in docs/: path to text. */
export const DOCUMENTS: ReadonlyMap<string, string> = new Map(
  ['README.md', ...globSync('docs/*.md').sort()].map((path) => [path, readFileSync(path, 'utf8')]),
);
