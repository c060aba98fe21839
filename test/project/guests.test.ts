/** What docs/guests.md restates must be what the code says. */

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readGuestsOptions } from '../../src/cli/guests/guests-options.ts';
import { MEANINGS } from '../../src/contract/meanings.ts';
import { COLUMNS, factsOf } from '../../src/contract/row.ts';

const GUESTS = readFileSync('docs/guests.md', 'utf8');

test('docs/guests.md has every column about a guest and no other', () => {
  const rows = COLUMNS.filter((column) => factsOf(column).personal).map(
    (column) => `| \`${column}\` | ${MEANINGS[column].meaning} |`,
  );
  expect(GUESTS).toContain(`| column | what |\n| --- | --- |\n${rows.join('\n')}\n\n`);
});

test('docs/guests.md has no command that the tool does not take', () => {
  const commands = [...GUESTS.replaceAll('\\\n', ' ').matchAll(/^npm run guests -- (.+)$/gm)];
  expect(commands.length).toBeGreaterThan(1);
  for (const [, args = ''] of commands) {
    const words = Array.from(args.matchAll(/'([^']*)'|(\S+)/g), ([, quoted, bare]) => quoted ?? bare ?? '');
    expect(() => readGuestsOptions(words)).not.toThrow();
  }
});

test('docs/guests.md has the days of wrangler.toml', () => {
  const toml = readFileSync('wrangler.toml', 'utf8');
  for (const name of ['KEEP_REJECTED_DAYS', 'KEEP_DEAD_LETTER_DAYS', 'KEEP_UNREADABLE_DAYS']) {
    const days = new RegExp(`^${name} = "(\\d+)"$`, 'm').exec(toml)?.[1];
    expect(GUESTS).toContain(`\`${name}\`, ${days} days`);
  }
});
