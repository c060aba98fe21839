/** Tables, on every page alike. Pure. */

import { type Html, html, type Part } from './html.ts';

/** Good news, a refusal that may pass later, or one that stays. */
export type Tone = 'good' | 'later' | 'bad';

/** A row. */
export interface Row {
  /** What stands in each column; the first names the row. */
  readonly cells: readonly Part[];
  readonly tone?: Tone;
  /** By which it can be linked to. */
  readonly id?: string;
}

/**
 * Writes a table.
 *
 * @param caption - What it is, for those who do not see what stands above it.
 * @param form - On a phone, each row of `cards` becomes a card; a `dense` table has short rows, and fits as it is.
 */
export function table(
  caption: string,
  columns: readonly string[],
  rows: readonly Row[],
  form: 'cards' | 'dense' = 'cards',
): Html {
  return html`<table class="${form}">
<caption class="hidden">${caption}</caption>
<thead><tr>${columns.map((column) => html`<th scope="col">${column}</th>`)}</tr></thead>
<tbody>
${rows.map(
  ({ cells, tone, id }) => html`<tr${id && html` id="${id}"`}${tone && html` class="${tone}"`}>${cells.map(
    (cell, at) => (at === 0 ? html`<th scope="row">${cell}</th>` : html`<td data-column="${columns[at]}">${cell}</td>`),
  )}</tr>
`,
)}</tbody>
</table>`;
}
