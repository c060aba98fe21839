/** The sections of a page. Pure. */

import { type Html, html, type Part } from './html.ts';

/**
 * Writes a section under a heading, which is the link to it.
 *
 * @param intro - What is said beside the heading, in paragraphs.
 */
export function section(id: string, title: string, intro: Part, content: Part): Html {
  return html`<section id="${id}" aria-labelledby="${id}-title">
<div class="intro">
<h2 id="${id}-title"><a href="#${id}">${title}</a></h2>
<div>${intro}</div>
</div>
${content}
</section>
`;
}
