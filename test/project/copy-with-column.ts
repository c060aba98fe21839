/** A copy of the project in which the recipe of docs/contributing.md for adding a column was followed to the letter. */

import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { PROJECT } from '../../src/cli/project.ts';

/** A numbered step: the file that it links to, what its lines stand behind, and the lines. */
const STEP = /^\d+\. \[[^\]]+\]\(([^)#]+)[^)]*\), behind `([^`]+)`.*?\n\n {3}```\w+\n(.*?)\n {3}```$/gms;

interface Step {
  readonly file: string;
  readonly behind: string;
  readonly lines: string;
}

/** A copy, and the files that the recipe changes in its order. */
export type ProjectCopy = Awaited<ReturnType<typeof copyWithColumn>>;

/** Copies the project and follows the recipe. @throws When a step names a line that is not there. */
export async function copyWithColumn() {
  const guide = await readFile(join(PROJECT, 'docs/contributing.md'), 'utf8');
  const [, recipe = ''] = /^## Adding a column\n(.*?)^## /ms.exec(guide) ?? [];
  const steps = Array.from(recipe.matchAll(STEP), ([, link = '', behind = '', lines = '']) => ({
    file: join('docs', link),
    behind,
    lines: lines.replaceAll(/^ {3}/gm, ''),
  }));
  const root = await mkdtemp(join(tmpdir(), 'column-'));
  const { stdout } = await promisify(execFile)(
    'git',
    ['ls-files', '-z', '--cached', '--others', '--exclude-standard'],
    { cwd: PROJECT },
  );
  for (const file of stdout.split('\0').filter((name) => name !== '')) {
    await mkdir(dirname(join(root, file)), { recursive: true });
    await cp(join(PROJECT, file), join(root, file));
  }
  await symlink(join(PROJECT, 'node_modules'), join(root, 'node_modules'));
  for (const step of steps) await follow(root, step);
  return { root, changed: steps.map(({ file }) => file), remove: () => rm(root, { recursive: true, force: true }) };
}

/** Puts the lines of a step where it says: behind the line of a column, or below a heading. */
async function follow(root: string, { file, behind, lines }: Step): Promise<void> {
  const path = join(root, file);
  const before = (await readFile(path, 'utf8')).split('\n');
  const found = before.findIndex((line) => line.replace(/^[ |`]+/, '').startsWith(behind) || line === behind);
  if (found === -1) throw new Error(`Cannot follow the recipe: ${file} has no line ${behind}`);
  const at = found + (before[found + 1] === '' ? 2 : 1);
  await writeFile(path, before.toSpliced(at, 0, lines).join('\n'));
}
