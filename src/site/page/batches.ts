/** The section on sending several events at once. Pure. */

import { BATCH_PATH, MAX_BATCH_EVENTS } from '../../contract/endpoint.ts';
import { type Html, html, prose } from '../html.ts';
import { mixedAnswer } from '../openapi/batch.ts';
import { section } from '../section.ts';
import { table } from '../table.ts';
import { MAX_BATCH, RULES } from '../words/rules.ts';
import { named } from './answers.ts';
import { code, ORIGIN } from './code.ts';
import { BATCH_SNIPPET } from './snippets.ts';

/** The statuses of a batch as a whole; each event also has its own. */
const STATUSES: readonly (readonly [status: number, meaning: string, again: string])[] = [
  [202, 'Every event is stored.', 'No'],
  [200, 'The address ends in `?check`: every event would be stored, nothing was.', 'No'],
  [
    207,
    'Some events are refused, or all of them; the others are stored. `status` is `partial`.',
    'Those whose own status is 503',
  ],
  [400, 'The body is empty, is not UTF-8, or is an array that is not valid JSON. Nothing is stored.', 'Not as it is'],
  [
    413,
    `More than ${MAX_BATCH_EVENTS.toLocaleString('en')} events, or more than ${MAX_BATCH}. Nothing is stored.`,
    'In smaller batches',
  ],
  [429, 'Too many batches.', 'Later, the whole batch'],
  [503, 'None of the events could be stored.', 'Later, the whole batch'],
];

/** The address for batches, with a request, its answer and the meaning of the statuses. */
export function batches(): Html {
  return section(
    'batches',
    'Several events at once',
    html`<p>For what has piled up, a nightly export or a move from another system: <code>POST</code> to <code><span data-origin>${ORIGIN}</span><wbr>${BATCH_PATH}</code>. ${prose(RULES.batch)}</p>
<p>${prose(RULES.batchKeys)} What happens one by one is better sent one by one: the answer comes sooner.</p>`,
    html`${code(BATCH_SNIPPET, 'bash', 'How to send a batch with curl')}
<div class="columns">
<div><h3>One shape of answer</h3><p>Whatever becomes of the events, the answer has two counts and one result for each event, in their order: what a 202 says of it, or its problem. Each result has the <code>status</code> that the event would have had alone.</p><p>A batch that is refused as a whole gets a problem, as a single event does.</p></div>
${code(JSON.stringify(mixedAnswer(), null, 2), 'json', 'The answer to a batch of which one event is refused')}
</div>
${table(
  'Answers to a batch by status',
  ['Status', 'Meaning', 'Send again?'],
  STATUSES.map(([status, meaning, again]) => [named(status), prose(meaning), again]),
)}`,
  );
}
