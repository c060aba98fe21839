/** Sending several events at once. Pure. */

import { BATCH_PATH, MAX_BATCH_EVENTS } from '../../contract/endpoint.ts';
import { type Html, html, prose } from '../html.ts';
import { mixedAnswer } from '../openapi/batch.ts';
import { MAX_BATCH, RULES } from '../words/rules.ts';
import { code, ORIGIN } from './code.ts';
import { BATCH_SNIPPET } from './snippets.ts';

/** The statuses of a batch as a whole; each event has one of its own. */
const STATUSES = [
  ['good', '202', 'Every event is stored.', 'No'],
  ['good', '200', 'The address ends in `?check`: every event would be stored, nothing was.', 'No'],
  [
    'later',
    '207',
    'Some events are refused, or all of them; the others are stored. `status` is `partial`.',
    'Those whose own status is 503',
  ],
  [
    'bad',
    '400',
    'The body is empty, is not UTF-8, or is an array that is not valid JSON. Nothing is stored.',
    'Not as it is',
  ],
  [
    'bad',
    '413',
    `More than ${MAX_BATCH_EVENTS.toLocaleString('en')} events, or more than ${MAX_BATCH}. Nothing is stored.`,
    'In smaller batches',
  ],
  ['later', '429', 'Too many batches.', 'Later, the whole batch'],
  ['later', '503', 'None of the events could be stored.', 'Later, the whole batch'],
] as const;

/** The address for batches, with a request, its answer and what the statuses mean. */
export function batches(): Html {
  return html`<section id="batches" aria-labelledby="batches-title">
<div class="intro">
<h2 id="batches-title">Several events at once</h2>
<p>For what has piled up, a nightly export or a move from another system: <code>POST</code> to <code><span data-origin>${ORIGIN}</span><wbr>${BATCH_PATH}</code>. ${prose(RULES.batch)}</p>
<p>${prose(RULES.batchKeys)} What happens one by one is better sent one by one: the answer comes sooner.</p>
</div>
${code(BATCH_SNIPPET, 'bash', 'How to send a batch with curl')}
<div class="pair">
<div class="words"><h3>One shape of answer</h3><p>Whatever becomes of the events, the answer has two counts and one result for each event, in their order: what a 202 says of it, or its problem. Each result has the <code>status</code> that the event would have had alone.</p><p>A batch that is refused as a whole gets a problem, as a single event does.</p></div>
${code(JSON.stringify(mixedAnswer(), null, 2), 'json', 'The answer to a batch of which one event is refused')}
</div>
<div class="table"><table class="answers">
<caption class="hidden">Answers to a batch by status</caption>
<thead><tr><th scope="col">Status</th><th scope="col">Meaning</th><th scope="col">Send again?</th></tr></thead>
<tbody>
${STATUSES.map(
  ([tone, status, meaning, again]) =>
    html`<tr class="${tone}"><th scope="row"><b>${status}</b></th><td>${prose(meaning)}</td><td>${again}</td></tr>
`,
)}</tbody>
</table></div>
</section>`;
}
