/** The sections on retries, duplicates, and going live. Pure. */

import { type Html, html, prose } from '../html.ts';
import { section } from '../section.ts';
import { table } from '../table.ts';
import { RULES } from '../words/rules.ts';
import { named } from './answers.ts';

/** A delivery that takes three attempts. */
const ATTEMPTS = [
  ['13:02:11', 'No answer', 'Five seconds pass. Whether the event arrived cannot be known: send it again.'],
  ['13:02:17', named(503), prose('`Retry-After: 30` says when to come back.')],
  ['13:02:47', named(202), 'Stored. Take the event off your list.'],
];

/** How retries work, by the example of one delivery. */
export function retries(): Html {
  return section(
    'retries',
    'Retries and duplicates',
    html`<p>Networks fail. Keep each event until you have its 202, and send it again as often as it takes. Sending twice does no harm; an event that is never sent is lost. This delivery takes three attempts, each with the same <code>Idempotency-Key</code>.</p>`,
    html`${table('One delivery that takes three attempts', ['Sent at', 'Answer', 'What to do'], ATTEMPTS)}
<div class="columns notes">
<div><h3>When to send again</h3><p>${prose(RULES.sendAgain)}</p></div>
<div><h3>Repeats</h3><p>${prose(RULES.repeats)}</p></div>
<div><h3>Order</h3><p>Send events as they happen and do not wait for one to send the next. Each is stored by itself, regardless of those before it; one that fails does not stop the others.</p></div>
</div>`,
  );
}

/** What to try before sending real guests. */
export function goLive(): Html {
  return section(
    'live',
    'Before you go live',
    html`<p>${prose(RULES.check)}</p>
<ol>
<li>Check one event of each type that you send, and read the row: is every field where it belongs?</li>
<li>Bring the warnings down to none.</li>
<li>Check a guest whose name has accents, a comment with line breaks, and a room with a leading zero.</li>
<li>Take the network away for a minute: no event may be missing afterwards.</li>
<li>Let a refusal reach a person who can read it.</li>
</ol>`,
    '',
  );
}
