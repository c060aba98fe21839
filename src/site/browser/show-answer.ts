/** Rendering an answer. Pure. */

import { badge } from '../badge.ts';
import { type Html, html } from '../html.ts';
import { table } from '../table.ts';
import type { Answer, Finding } from './answer.ts';

/** The outcome. Screen readers announce it when it changes, so it is one sentence and no more. */
export function verdict({ status, headline, detail }: Answer): Html {
  return html`<p class="verdict">${badge(status)}${headline}</p><p>${detail}</p>`;
}

/**
 * Everything else about an answer.
 *
 * @param raw - The answer as received.
 */
export function details({ findings, explanation, row }: Answer, raw: string): Html {
  return html`${explanation && html`<p><a href="${explanation}">What this means, and what to do</a></p>`}
${findings.length > 0 && html`<ul class="findings">${findings.map(finding)}</ul>`}
${row !== undefined && rowTable(Object(row))}
<details><summary>The answer as it came</summary>
<div class="code"><pre tabindex="0" role="region" aria-label="The answer as it came"><code>${raw}</code></pre></div>
</details>`;
}

function finding({ field, member, code, text }: Finding): Html {
  return html`<li>${code && html`<code>${code}</code>`}${field && html`<a href="#body" data-member="${member}">${field}</a>`}<br>${text}</li>`;
}

function rowTable(row: object): Html {
  const rows = Object.entries(row).map(([column, value]) => [
    html`<code>${column}</code>`,
    html`<code>${JSON.stringify(value)}</code>`,
  ]);
  return html`<div class="row" tabindex="0" role="region" aria-label="The row">${table('The row', ['Column', 'Value'], rows, 'dense')}</div>`;
}
