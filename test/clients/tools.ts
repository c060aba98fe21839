/** Generators and linters that are too large to be installed with everything else: `CLIENTS` names the folder of them. */

import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** The folder that has them in its `node_modules`. @throws When it is not named, or holds none. */
export function toolsFolder(): string {
  const folder = process.env.CLIENTS ?? '';
  if (!existsSync(join(folder, 'node_modules/orval'))) {
    throw new Error('Cannot find the generators: install them as .ci/run does, and name their folder in CLIENTS');
  }
  return folder;
}

/** Loads a tool, whose types are not installed; the caller says what it uses. */
export function loadTool<Tool>(name: string): Tool {
  return createRequire(join(toolsFolder(), 'package.json'))(name);
}
