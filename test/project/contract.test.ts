/** What docs/contract.md restates must be what the code says. */

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { FIELD_BY_COLUMN } from '../../src/contract/fields.ts';
import { MEANINGS } from '../../src/contract/meanings.ts';
import { COLUMNS, type ColumnType, factsOf } from '../../src/contract/row.ts';
import { PROBLEM_TYPES } from '../../src/http/problem-types.ts';

const CONTRACT = readFileSync('docs/contract.md', 'utf8');

/** The types as the document calls them. */
const TYPES: Readonly<Record<ColumnType, string>> = {
  text: 'string',
  texts: 'string[]',
  timestamp: 'timestamp',
  date: 'date',
  integer: 'integer',
};

function columnRow(column: (typeof COLUMNS)[number]): string {
  const field = FIELD_BY_COLUMN.get(column);
  const sentAs = field === undefined ? '' : `\`${field.wire}\`${field.required ? ', required' : ''}`;
  const { type, nullable, since } = factsOf(column);
  const version = since === 1 ? '' : ` Since version ${since}.`;
  return `| \`${column}\` | ${TYPES[type]}${nullable ? '?' : ''} | ${sentAs} | ${MEANINGS[column].meaning}${version} |`;
}

test('docs/contract.md has every column, in order, with type and meaning', () => {
  expect(CONTRACT).toContain(COLUMNS.map(columnRow).join('\n'));
});

test('docs/contract.md has every status and problem type', () => {
  for (const [slug, { status, title }] of Object.entries(PROBLEM_TYPES)) {
    expect(CONTRACT).toContain(`| ${status} | \`${slug}\` | ${title} |`);
  }
});

test('docs/contract.md has every allowed value', () => {
  for (const column of ['event_type', 'reservation_state', 'reservation_origin', 'reservation_purpose']) {
    expect(CONTRACT).toContain(`\`${FIELD_BY_COLUMN.get(column)?.allowed?.join('` `')}\``);
  }
});

/** The text without its line breaks, so that a list may be wrapped. */
const UNWRAPPED = CONTRACT.replaceAll('\n', ' ');
const listOf = (columns: readonly string[]) => columns.map((column) => `\`${column}\``).join(', ');

test('docs/contract.md has every column about a guest', () => {
  const personal = COLUMNS.filter((column) => factsOf(column).personal);
  expect(UNWRAPPED).toContain(`Columns about a guest: ${listOf(personal)}.`);
});
