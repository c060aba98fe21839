/** The sections of a page. Pure. */

import { type Content, type Html, html } from './html.ts';

/**
 * Renders a section with a heading that links to it.
 *
 * @param intro - Paragraphs beside the heading.
 */
export function section(id: string, title: string, intro: Content, content: Content): Html {
  return html`<section id="${id}" aria-labelledby="${id}-title">
<div class="intro">
<h2 id="${id}-title"><a href="#${id}">${title}</a></h2>
<div>${intro}</div>
</div>
${content}
</section>
`;
}
