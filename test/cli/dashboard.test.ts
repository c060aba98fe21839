import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { dashboard } from '../../src/cli/dashboard/dashboard.ts';
import { QUERIES } from '../../src/cli/dashboard/queries.ts';

interface Panel {
  readonly title: string;
  readonly gridPos: object;
  readonly targets: readonly { readonly query: string }[];
}

const panelsOf = (board: object) => (board as { panels: Panel[] }).panels;

test('`dashboard()` has a panel for each query, none over another', () => {
  const panels = panelsOf(dashboard('production'));
  expect(panels.map(({ title, targets }) => ({ title, sql: targets[0]?.query }))).toEqual(QUERIES);
  expect(new Set(panels.map(({ gridPos }) => JSON.stringify(gridPos))).size).toBe(QUERIES.length);
});

test('`dashboard()` asks the dataset and the queues of the environment', () => {
  const asked = JSON.stringify(panelsOf(dashboard('production-eu')));
  expect(asked).toContain('FROM reservation_events_production_eu');
  expect(asked).toContain("'reservation-events-production-eu-dead-letter'");
  expect(asked).not.toMatch(/events[_-]production(?![_-]eu)/);
});

test('`npm run dashboard` prints it, and names the environments that there are', async () => {
  const run = promisify(execFile);
  const command = resolve('src/cli/dashboard.ts');
  const { stdout } = await run(process.execPath, [command, '--env', 'staging']);
  expect(JSON.parse(stdout)).toEqual(dashboard('staging'));
  await expect(run(process.execPath, [command, '--env', 'nowhere'])).rejects.toThrow(/has no \[env.nowhere\]/);
});
