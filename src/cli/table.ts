/** Formats rows as a text table for people. Pure. */

import stringWidth from 'string-width';

/** A row: its values by column name. All rows of a table have the same columns. */
export type TableRow = Readonly<Record<string, unknown>>;

const GAP = '  ';

/**
 * Formats rows in columns with a header, numbers right-aligned. If that is wider than the screen, each value gets a
 * line of its own, with a blank line between rows.
 *
 * @param width - Columns of the screen; unlimited by default.
 * @returns Lines that end in `\n`.
 */
export function formatTable(rows: readonly TableRow[], width = Number.POSITIVE_INFINITY): string {
  const [first] = rows;
  if (first === undefined) return 'No rows\n';
  const columns = Object.keys(first).map((name) => {
    const cells = rows.map((row) => textOf(row[name]));
    return { name, cells, width: widest([name, ...cells]), pad: cells.every(isNumber) ? padStart : padEnd };
  });
  const total = columns.reduce((sum, column) => sum + column.width + GAP.length, -GAP.length);
  if (total > width) {
    const names = widest(columns.map(({ name }) => name));
    const record = (row: number) =>
      columns.map(({ name, cells }) => `${padEnd(name, names)}${GAP}${cells[row]}`.trimEnd());
    return `${rows.map((_, row) => record(row).join('\n')).join('\n\n')}\n`;
  }
  const lines = [
    columns.map((column) => column.pad(column.name, column.width)),
    columns.map((column) => '─'.repeat(column.width)),
    ...rows.map((_, row) => columns.map(({ cells, width, pad }) => pad(cells[row] ?? '', width))),
  ];
  return lines.map((cells) => `${cells.join(GAP).trimEnd()}\n`).join('');
}

/** A value on one line. */
function textOf(value: unknown): string {
  return escapeControls(typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? ''));
}

/**
 * Escapes control characters, which a terminal would obey, and bidirectional controls, which change the displayed order
 * of text (Unicode TR 36 section 2.9). The escapes are those of JSON, so a line of JSON stays valid.
 *
 * @param kept - Control characters that are left as they are.
 */
export function escapeControls(text: string, kept = ''): string {
  return text.replaceAll(/[\p{Cc}\p{Bidi_Control}]/gu, (control) =>
    kept.includes(control) ? control : `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Whether a text is a number or empty. */
function isNumber(text: string): boolean {
  return /^(?:-?(?:0|[1-9]\d*)(?:\.\d+)?)?$/.test(text);
}

function widest(texts: readonly string[]): number {
  return texts.reduce((width, text) => Math.max(width, stringWidth(text)), 0);
}

function padEnd(text: string, width: number): string {
  return text + ' '.repeat(width - stringWidth(text));
}

function padStart(text: string, width: number): string {
  return ' '.repeat(width - stringWidth(text)) + text;
}
