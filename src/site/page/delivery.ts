/** Retries, duplicates, and going live. Pure. */

import { type Html, html, prose } from '../html.ts';
import { RULES } from '../words/rules.ts';

/** How retries work, drawn as one delivery that takes three attempts. */
export function retries(): Html {
  return html`<section id="retries" aria-labelledby="retries-title">
<div class="intro">
<h2 id="retries-title">Retries and duplicates</h2>
<p>Networks fail. Keep each event until you have its 202, and send it again as often as it takes. Sending twice does no harm; an event that is never sent is lost.</p>
</div>
<ol class="timeline" aria-label="One delivery that takes three attempts">
<li class="bad"><span class="when">13:02:11</span><b>No answer</b><p>Five seconds pass. Whether the event arrived cannot be known: send it again.</p><code>Idempotency-Key: ntf-8812</code></li>
<li class="later"><span class="when">13:02:17</span><b>503 Unavailable</b><p><code>Retry-After: 30</code> says when to come back.</p><code>Idempotency-Key: ntf-8812</code></li>
<li class="good"><span class="when">13:02:47</span><b>202 Accepted</b><p>Stored. Take the event off your list.</p><code>Idempotency-Key: ntf-8812</code></li>
</ol>
<div class="notes">
<div><h3>When to send again</h3><p>${prose(RULES.sendAgain)}</p></div>
<div><h3>Repeats</h3><p>${prose(RULES.repeats)}</p></div>
<div><h3>Order</h3><p>Send events as they happen and do not wait for one to send the next. Each is stored by itself, regardless of those before it; one that fails does not stop the others.</p></div>
</div>
</section>`;
}

/** What to have tried before real guests arrive. */
export function goLive(): Html {
  return html`<section id="live" aria-labelledby="live-title">
<div class="intro">
<h2 id="live-title">Before you go live</h2>
<p>${prose(RULES.check)}</p>
<ol class="steps">
<li>Check one event of each type that you send, and read the row: is every field where it belongs?</li>
<li>Bring the warnings down to none.</li>
<li>Check a guest whose name has accents, a comment with line breaks, and a room with a leading zero.</li>
<li>Take the network away for a minute: no event may be missing afterwards.</li>
<li>Let a refusal reach a person who can read it.</li>
</ol>
</div>
</section>`;
}
