/** What new senders get wrong, and what is answered. Pure. */

import type { Asked } from '../ask.ts';
import { type Html, html, prose } from '../html.ts';
import type { Mistake } from '../words/mistakes.ts';

/** A mistake and the answer that it gets. */
export interface AnsweredMistake extends Mistake {
  readonly answer: Asked;
}

/** The table of mistakes. */
export function mistakes(answered: readonly AnsweredMistake[]): Html {
  return html`<section id="mistakes" aria-labelledby="mistakes-title">
<div class="intro">
<h2 id="mistakes-title">Common mistakes</h2>
<p>What is sent, and what is answered. With a 202 the event is stored all the same, and the warning says what to put right. No answer in this table is written by hand: the code of the service gave it.</p>
</div>
<div class="table"><table class="mistakes">
<caption class="hidden">Common mistakes and their answers</caption>
<thead><tr><th scope="col">Sent</th><th scope="col">Answer</th><th scope="col">Instead</th></tr></thead>
<tbody>
${answered.map(row)}</tbody>
</table></div>
</section>`;
}

function row({ name, sent, remedy, answer: { status, findings } }: AnsweredMistake): Html {
  const tone = status === 202 ? 'good' : 'bad';
  return html`<tr class="${tone}"><th scope="row">${name}<br><code>${sent}</code></th><td data-label="Answer"><b>${status}</b> ${findings.map(
    (finding) => (status === 202 ? html`<code>${finding}</code> ` : finding),
  )}</td><td data-label="Instead">${prose(remedy)}</td></tr>
`;
}
