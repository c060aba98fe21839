/** What the parts of the status have in common. */

import { element } from '../element.ts';

/** A number as it is written in English. */
export function number(count: number): string {
  return count.toLocaleString('en');
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, count) => total + count, 0);
}

/** A moment in UTC, which the place that shows it has to name: month, day and time. */
export function clock(time: string, precision: 'minutes' | 'seconds' = 'minutes'): string {
  return time.slice(5, precision === 'minutes' ? 16 : 19).replace('T', ' ');
}

/** How long ago something was, for people. */
export function ago(time: string, now: number): string {
  const minutes = Math.max(0, Math.round((now - Date.parse(time)) / 60_000));
  if (minutes === 0) return 'just now';
  return minutes < 120 ? `${minutes} min ago` : `${Math.round(minutes / 60)} h ago`;
}

/** A size in the unit that fits. */
export function size(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB'];
  const at = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  return `${(bytes / 1000 ** at).toLocaleString('en', { maximumFractionDigits: 1 })} ${units[at] ?? 'B'}`;
}

let sections = 0;

/** A part of the page under a heading. */
export function section(title: string, ...content: readonly HTMLElement[]): HTMLElement {
  sections += 1;
  const id = `status-section-${sections}`;
  return element('section', { 'aria-labelledby': id }, element('h2', { id }, title), ...content);
}

/**
 * A table whose first column names its rows.
 *
 * @param form - On a phone, rows of a `cards` table become cards; a `narrow` one fits as it is.
 */
export function table(
  caption: string,
  columns: readonly string[],
  rows: readonly (readonly (Node | string)[])[],
  form: 'cards' | 'narrow' = 'cards',
): HTMLElement {
  const body = rows.map((cells) =>
    element(
      'tr',
      {},
      ...cells.map((content, at) =>
        at === 0
          ? element('th', { scope: 'row' }, content)
          : element('td', { 'data-column': columns[at] ?? '' }, content),
      ),
    ),
  );
  const head = element('tr', {}, ...columns.map((column) => element('th', { scope: 'col' }, column)));
  return element(
    'table',
    { class: `counts ${form}` },
    element('caption', { class: 'hidden' }, caption),
    element('thead', {}, head),
    element('tbody', {}, ...body),
  );
}
