/** A backlog of single rows, worked off in virtual time: see test/simulation/backlog.ts. */

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { formatTable, type TableRow } from '../../src/cli/table.ts';

/** How many objects lie in `landing/`. */
const OBJECTS = 100_000;

/** Works off the same backlog with more and more consumers. */
export async function benchBacklog(): Promise<void> {
  const rows: TableRow[] = [];
  for (const callMs of [100, 200]) {
    for (const consumers of [1, 10, 50]) {
      const script = ['--js-base-64', 'test/simulation/backlog.ts', OBJECTS, consumers, callMs].map(String);
      const { stdout } = await promisify(execFile)(process.execPath, script);
      const figures: Readonly<Record<string, number>> = JSON.parse(stdout);
      rows.push(Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, Math.round(value)])));
    }
  }
  console.log(formatTable(rows));
}
