/** The page at `/status`. Pure. */

import { html } from '../html.ts';
import type { Page } from './layout.ts';

/** The page that shows the `/status.json` of a token. It needs a script and says so until the script takes over. */
export function statusPage(): Page {
  return {
    title: 'Status',
    description: 'What was accepted and refused in the last 24 hours, and why',
    links: [
      ['/', 'How to send'],
      ['/#answers', 'Answers'],
    ],
    origin: 'The numbers come from what is stored in the bucket and from the queues.',
    main: html`<h1>The last 24 hours</h1>
<p class="lead">What was accepted, what was refused, and why. A token shows its own sender; an operator’s token shows all senders, and the service itself.</p>
<form class="actions ask" id="status-form" autocomplete="off">
<div class="field"><label for="status-token">Token</label><input id="status-token" type="password" autocomplete="off" spellcheck="false" aria-describedby="status-hint"></div>
<button type="submit" class="button">Show</button><button type="button" class="button plain" id="status-forget">Forget the token</button>
</form>
<p class="hint" id="status-hint">The token stays in this tab until you close it or forget it. It is sent to this service alone, and never in an address.</p>
<div id="status-line" role="status"><p>This page needs JavaScript. Without it, <code>curl -H "Authorization: Bearer $TOKEN"</code> and <code>/status.json</code> tell the same.</p></div>
<div id="status-board"></div>`,
  };
}
