/** The panel for editing and sending an event. Pure. */

import { ENDPOINT_PATH } from '../../contract/endpoint.ts';
import { type Html, html } from '../html.ts';
import { section } from '../section.ts';
import { EXAMPLES } from '../words/examples.ts';

/** The panel. It needs a script and says so until the script takes over. */
export function tryIt(): Html {
  const [first] = EXAMPLES;
  return section(
    'try',
    'Try it',
    html`<p>Choose an event, change it, and see what the service says. <strong>Check only</strong> stores nothing. <strong>Send</strong> stores a real event.</p>`,
    html`<form id="desk" action="${ENDPOINT_PATH}?check" autocomplete="off">
<div class="columns">
<div class="field"><label for="token">Token</label><input id="token" type="password" autocomplete="off" spellcheck="false" placeholder="the one you were given" aria-describedby="token-hint"></div>
<div class="field"><label for="example">Event</label><select id="example">${EXAMPLES.map(
      ({ eventType, summary, event }) =>
        html`<option value="${eventType}" data-event="${JSON.stringify(event, null, 2)}">${eventType}: ${lowerFirst(summary)}</option>`,
    )}</select></div>
</div>
<p class="hint" id="token-hint">The token stays in this tab. It goes to this service and is forgotten when you leave.</p>
<div class="columns">
<div class="sheet">
<label class="hint" for="body">Body</label>
<div class="editor"><pre class="marks" id="marks" aria-hidden="true"></pre><textarea id="body" spellcheck="false" autocapitalize="off" autocomplete="off" wrap="off" aria-describedby="body-hint">${JSON.stringify(first?.event, null, 2)}</textarea></div>
<p class="hint" id="body-hint">One JSON object.</p>
</div>
<div>
<p class="actions"><button type="submit" class="button">Check only</button><button type="submit" formaction="${ENDPOINT_PATH}" class="button plain">Send</button><span class="hint keys"><kbd>Ctrl</kbd> <kbd>Enter</kbd> checks</span></p>
<div id="answer" role="status"><p class="hint">This panel needs JavaScript. Everything else on the page works without, and so does <code>curl</code>.</p></div>
<div id="details"></div>
</div>
</div>
</form>`,
  );
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
