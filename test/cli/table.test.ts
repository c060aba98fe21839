import { expect, test } from 'vitest';
import { escapeControls, formatTable } from '../../src/cli/table.ts';

test('`formatTable()` aligns texts to the left, numbers to the right, and measures wide characters', () => {
  const rows = [
    { name: '山田', events: '7', share: 0.5 },
    { name: 'Zapletal', events: '120', share: null },
  ];
  expect(formatTable(rows)).toBe(`\
name      events  share
────────  ──────  ─────
山田           7    0.5
Zapletal     120
`);
});

test('`formatTable()` keeps a value on its line, and what a terminal would obey from it', () => {
  expect(formatTable([{ comment: 'late\n\u001b[31m', warnings: ['a:b'] }])).toBe(`\
comment               warnings
────────────────────  ────────
late\\u000a\\u001b[31m  ["a:b"]
`);
});

test('`formatTable()` puts a value on each line when the columns do not fit', () => {
  expect(
    formatTable(
      [
        { event_id: 'one', email: 'a@b.c' },
        { event_id: 'two', email: null },
      ],
      12,
    ),
  ).toBe(`\
event_id  one
email     a@b.c

event_id  two
email
`);
});

test('`formatTable()` says that there are no rows', () => {
  expect(formatTable([])).toBe('No rows\n');
});

test('`escapeControls()` leaves nothing that a terminal obeys or shows in another order, and keeps JSON the same', () => {
  const line = JSON.stringify({ name: 'a\u009b31m\u202egnp.exe\u2066x\u200f', kept: 'é 🏨 \u200d' });
  const shown = escapeControls(`${line}\n`, '\n');
  expect(shown).toBe('{"name":"a\\u009b31m\\u202egnp.exe\\u2066x\\u200f","kept":"é 🏨 \u200d"}\n');
  expect(JSON.parse(shown)).toEqual(JSON.parse(line));
});
