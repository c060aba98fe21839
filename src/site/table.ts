/** Tables, the same on every page. Pure. */

import { type Content, type Html, html } from './html.ts';

/**
 * Renders a table.
 *
 * @param label - A description for readers who cannot see the text above the table.
 * @param rows - The content of each column; the first cell is the row header.
 * @param form - On a phone, each row of `cards` becomes a card; a `dense` table has short rows and fits as it is.
 */
export function table(
  label: string,
  columns: readonly string[],
  rows: readonly (readonly Content[])[],
  form: 'cards' | 'dense' = 'cards',
): Html {
  return html`<table class="${form}" aria-label="${label}">
<thead><tr>${columns.map((column) => html`<th scope="col">${column}</th>`)}</tr></thead>
<tbody>
${rows.map(
  (cells) => html`<tr>${cells.map((cell, at) =>
    at === 0 ? html`<th scope="row">${cell}</th>` : html`<td data-column="${columns[at]}">${cell}</td>`,
  )}</tr>
`,
)}</tbody>
</table>`;
}
