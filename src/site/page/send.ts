/** The snippets. Pure. */

import { type Html, html } from '../html.ts';
import { code } from './code.ts';
import { SNIPPETS } from './snippets.ts';

/** How to send, language by language. Without a script they stand one below the other. */
export function send(): Html {
  return html`<section id="send" aria-labelledby="send-title">
<div class="intro">
<h2 id="send-title">Send an event</h2>
<p>One request for each event, as it happens. Seven fields are required; send all the others you have. Nothing has to be prepared for a new hotel: its <code>PropertyId</code> is enough.</p>
<ul class="ticks">
<li>Give up on an answer after <strong>5 seconds</strong>, then send again.</li>
<li>Bodies may be compressed: <code>Content-Encoding: gzip</code>.</li>
<li>Never follow a redirect; there is none.</li>
</ul>
</div>
<div class="tabs" data-tabs="Language">
${SNIPPETS.map(
  ({ name, language, source }) => html`<section class="panel" data-tab="${name}">
<h3>${name}</h3>
${code(source, language, `How to send an event with ${name}`)}
</section>
`,
)}</div>
</section>`;
}
