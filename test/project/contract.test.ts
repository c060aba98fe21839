/** What docs/contract.md restates must be what the code says. */

import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { FIELD_BY_COLUMN } from '../../src/contract/fields.ts';
import { MEANINGS } from '../../src/contract/meanings.ts';
import { COLUMNS, factsOf, RowSchema } from '../../src/contract/row.ts';
import { PROBLEM_TYPES } from '../../src/http/problem-types.ts';

const CONTRACT = readFileSync('docs/contract.md', 'utf8');

/** The type of a column as the document calls it; a question mark says that it may be null. */
function typeOf(column: (typeof COLUMNS)[number]): string {
  const schema = RowSchema.entries[column];
  const value = 'wrapped' in schema ? schema.wrapped : schema;
  const { kind } = v.getMetadata(value) as { kind?: string };
  const special: Readonly<Record<string, string>> = { timestamp: 'timestamp', date: 'date', count: 'integer' };
  const type = special[kind ?? ''] ?? { array: 'string[]', literal: 'integer' }[String(value.type)] ?? 'string';
  return 'wrapped' in schema ? `${type}?` : type;
}

function columnRow(column: (typeof COLUMNS)[number]): string {
  const field = FIELD_BY_COLUMN.get(column);
  const sentAs = field === undefined ? '' : `\`${field.wire}\`${field.required ? ', required' : ''}`;
  return `| \`${column}\` | ${typeOf(column)} | ${sentAs} | ${MEANINGS[column].meaning} |`;
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

test('docs/contract.md has every column that tells of a guest', () => {
  const personal = COLUMNS.filter((column) => factsOf(column).personal);
  expect(UNWRAPPED).toContain(`Columns that tell of a guest: ${listOf(personal)}.`);
});

test('docs/contract.md has every version and the columns that it added', () => {
  const added = Map.groupBy(
    COLUMNS.filter((column) => factsOf(column).since > 1),
    (column) => factsOf(column).since,
  );
  for (const [version, columns] of added) expect(UNWRAPPED).toContain(`Version ${version} added ${listOf(columns)}.`);
});
