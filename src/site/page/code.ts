/** Code blocks, highlighted when the page is built, so that no browser has to. Pure. */

import highlighter from 'highlight.js/lib/common';
import http from 'highlight.js/lib/languages/http';
import { Html, html } from '../html.ts';

/** A language that can be highlighted. */
export type Language = 'bash' | 'csharp' | 'http' | 'java' | 'javascript' | 'json' | 'php' | 'python';

highlighter.registerLanguage('http', http);

/** A placeholder for the origin of the service; the browser replaces it by the origin of the page. */
export const ORIGIN = 'https://intake.example';

/** A code block that can be scrolled and copied. */
export function code(source: string, language: Language, label: string): Html {
  const coloured = highlighter.highlight(source, { language }).value;
  // The status of an answer has the same colour as elsewhere on the page.
  const told = coloured.replace(/^(.*?HTTP\/1\.1.*?)hljs-number(?=">2)/, '$1hljs-status-2');
  const located = told.replaceAll(ORIGIN, `<span data-origin>${ORIGIN}</span>`);
  return html`<div class="code"><pre tabindex="0" role="region" aria-label="${label}"><code>${new Html(located)}</code></pre></div>`;
}
