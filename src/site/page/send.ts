/** The section on sending an event. Pure. */

import { type Html, html } from '../html.ts';
import { section } from '../section.ts';
import { code } from './code.ts';
import { SNIPPETS } from './snippets.ts';

/** How to send an event, in each language. */
export function send(): Html {
  return section(
    'send',
    'Send an event',
    html`<p>One request for each event, as it happens. Seven fields are required; send all the others you have. Nothing has to be prepared for a new hotel: its <code>PropertyId</code> is enough.</p>
<ul>
<li>Give up on an answer after <strong>5 seconds</strong>, then send again.</li>
<li>Bodies may be compressed: <code>Content-Encoding: gzip</code>.</li>
<li>Never follow a redirect; there is none.</li>
</ul>`,
    SNIPPETS.map(
      ({ name, language, source }, at) => html`<details name="language"${at === 0 && ' open'}>
<summary>${name}</summary>
${code(source, language, `How to send an event with ${name}`)}
</details>
`,
    ),
  );
}
